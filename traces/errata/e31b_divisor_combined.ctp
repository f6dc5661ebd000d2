; Erratum E31 in COMB: the three traces have (x, y) = (2, 3), (3, 1) and (1, 2), and no divisor is zero.  Each receive may then
; get any of the messages; with (2, 1, 3) the divisor is zero, and that run does not complete.  If (div 0 0) is left to SMT-LIB,
; where it is any integer, their COMB is SAT; no run fails.
; expect infinite: success (well-formed); success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed); success (well-formed)
; check infinite: safe, fault
; check zero: safe, fault
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (rcvi r3 0 z)] [03 (wait r3)] [04 (assert (= (div 0 (- x (* 2 y))) 0))] bot )
  ( [10 (sndi s1 1 0 2)] bot )
  ( [20 (sndi s2 2 0 3)] bot )
  ( [30 (sndi s3 3 0 1)] bot ) )

( (10 bot) (20 bot) (30 bot) (00 bot) (01 bot) (02 bot) (03 ((0 1) (0 2) (0 3) bot)) (04 bot) )
( (10 bot) (20 bot) (30 bot) (00 bot) (01 bot) (02 bot) (03 ((0 2) (0 3) (0 1) bot)) (04 bot) )
( (10 bot) (20 bot) (30 bot) (00 bot) (01 bot) (02 bot) (03 ((0 3) (0 1) (0 2) bot)) (04 bot) )
