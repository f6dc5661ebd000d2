; Erratum E7 with receives: Fig. 4's task h_C receives twice into u0.  One variable for both: UNSAT, whatever is asserted.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (rcvi r1 0 u0)] [01 (wait r1)] [02 (rcvi r2 0 u0)] [03 (wait r2)] [04 (assert (= u0 0))] bot )
  ( [10 (sndi s1 1 0 0)] bot )
  ( [20 (sndi s2 2 0 1)] bot ) )

( (10 bot) (20 bot) (00 bot) (01 ((0 1) bot)) (02 bot) (03 ((0 2) bot)) (04 bot) )
