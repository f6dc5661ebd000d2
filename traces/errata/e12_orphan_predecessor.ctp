; Erratum E12: (r1, s3), (r2, s2) leaves s1, s2's predecessor on its channel, unmatched.  Step 4 is M_s1 < M_s2 with M_s1
; free: SAT, even with the exact pairs.  No run does it: safe.
; expect infinite: success (not well-formed)
; expect zero: success (not well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (not (and (= x 3) (= y 2))))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot )
  ( [20 (sndi s3 2 0 3)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot) (20 bot) (02 ((0 1) (0 1) bot)) (03 bot) )
