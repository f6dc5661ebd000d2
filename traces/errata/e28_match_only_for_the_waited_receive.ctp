; Erratum E28: Fig. 10 adds a match pair only for the receive the wait names.  r1, completed by wait(r2) and never waited for
; itself, gets none: its value is free, SAT, though the status is success.  (Hidden by Definition 2, see E15.)
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (= x 1))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot) (02 ((0 1) (0 1) bot)) (03 bot) )
