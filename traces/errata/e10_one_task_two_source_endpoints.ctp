; Erratum E10: endpoints 1 and 2 both belong to thread 1, so s1 and s2 are on two channels and may overtake each other:
; r1 may get 2.  Step 1 (and with it Step 4) orders them because they share task and destination: UNSAT.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (= x 1))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 2 0 2)] bot ) )

( (10 bot) (11 bot) (00 bot) (01 bot) (02 ((0 2) (0 1) bot)) (03 bot) )
