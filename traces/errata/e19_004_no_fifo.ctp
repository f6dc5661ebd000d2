; Erratum E19: 004 has match pairs, uniqueness and program order only.  Exact pairs: r2 may get s2 (after r1 got s1) and r1 may
; get s3, but never both: SAT though safe.
; expect infinite: success (not well-formed)
; expect zero: success (not well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (not (and (= x 3) (= y 2))))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot )
  ( [20 (sndi s3 2 0 3)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot) (20 bot) (02 ((0 1) (0 1) bot)) (03 bot) )
