; Erratum E24: Definition 6 lets a wait complete "all the previous receives in the same task"; getMarkRemove and Fig. 15 work per
; endpoint.  wait(r2), endpoint 1, does not complete r1, endpoint 0.  This program runs (and fails); with Definition 6 to
; the letter s1 < wait(r2) < k < wait(q) < s1: UNSAT.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 1 y)] [02 (wait r2)] [03 (sndi k 0 2 0)] [04 (wait r1)] [05 (assert false)] bot )
  ( [10 (rcvi q 2 z)] [11 (wait q)] [12 (sndi s1 2 0 1)] bot )
  ( [20 (sndi s2 3 1 2)] bot ) )

( (00 bot) (01 bot) (20 bot) (02 ((1 3) bot)) (03 bot) (10 bot) (11 ((2 0) bot)) (12 bot) (04 ((0 2) bot)) (05 bot) )
