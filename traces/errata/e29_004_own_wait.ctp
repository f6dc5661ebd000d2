; Erratum E29: 004 wants a send before "the wait operation that is associated with the receive".  r1's own wait (05) stands after
; its nearest-enclosing one (02).  q gets k only after 02, so s1 then carries 9 too late for r1: x = 9 never happens, but
; with own waits 004 is SAT, with the exact pairs.
; expect infinite: success (not well-formed)
; expect zero: success (not well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (sndi k 0 1 9)] [05 (wait r1)] [06 (assert (!= x 9))] bot )
  ( [10 (rcvi q 1 z)] [11 (wait q)] [12 (sndi s1 1 0 z)] bot )
  ( [20 (sndi s2 2 0 2)] [21 (sndi s3 2 0 3)] bot )
  ( [30 (sndi m 3 1 7)] bot ) )

( (00 bot) (01 bot) (10 bot) (20 bot) (21 bot) (30 bot) (02 ((0 2) (0 2) bot)) (03 bot) (05 bot) (06 bot)
  (11 ((1 0) bot)) (12 bot) )
