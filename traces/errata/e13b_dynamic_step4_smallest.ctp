; Erratum E13, smallest: with program order, s1 < s2 always, so the dynamic reading of Step 4 makes their channels one FIFO.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (= x 1))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 2 0 2)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot) (02 ((0 1) (0 2) bot)) (03 bot) )
