; Erratum E18, smallest: one race of three messages.  The traces have (x, y) = (1, 2), (2, 3) and (3, 1): all succeed.  Each
; receive may then get any of the messages, so that their COMB also holds (1, 3, 2), which fails: SAT.
; expect infinite: success (well-formed); success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed); success (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (rcvi r3 0 z)] [03 (wait r3)] [04 (assert (or (!= x 1) (!= y 3)))] bot )
  ( [10 (sndi s1 1 0 1)] bot )
  ( [20 (sndi s2 2 0 2)] bot )
  ( [30 (sndi s3 3 0 3)] bot ) )

( (10 bot) (20 bot) (30 bot) (00 bot) (01 bot) (02 bot) (03 ((0 1) (0 2) (0 3) bot)) (04 bot) )
( (10 bot) (20 bot) (30 bot) (00 bot) (01 bot) (02 bot) (03 ((0 2) (0 3) (0 1) bot)) (04 bot) )
( (10 bot) (20 bot) (30 bot) (00 bot) (01 bot) (02 bot) (03 ((0 3) (0 1) (0 2) bot)) (04 bot) )
