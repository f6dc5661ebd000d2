; Erratum E19 without orphans: every send is matched, s2 overtakes s1 (r2 gets s2, r3 gets s1) within the exact pairs.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r1 0 w)] [01 (rcvi r2 0 x)] [02 (rcvi r3 0 y)] [03 (rcvi r4 0 z)] [04 (wait r4)]
    [05 (assert (not (and (= x 2) (= y 1))))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot )
  ( [20 (sndi s3 2 0 3)] [21 (sndi s4 2 0 4)] bot ) )

( (00 bot) (01 bot) (02 bot) (03 bot) (10 bot) (11 bot) (20 bot) (21 bot) (04 ((0 1) (0 1) (0 2) (0 2) bot)) (05 bot) )
