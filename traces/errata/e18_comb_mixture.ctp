; Erratum E18: two independent races, x in {1, 2} and y in {3, 4}.  The first trace has (1, 3), the second (2, 4): both succeed.
; Their COMB also holds (1, 4), which fails: SAT.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 u)] [02 (wait r2)] [03 (rcvi q1 1 y)] [04 (rcvi q2 1 v)] [05 (wait q2)]
    [06 (assert (not (and (= x 1) (= y 4))))] bot )
  ( [10 (sndi s1 10 0 1)] [11 (sndi t1 10 1 3)] bot )
  ( [20 (sndi s2 20 0 2)] [21 (sndi t2 20 1 4)] bot ) )

( (10 bot) (11 bot) (20 bot) (21 bot) (00 bot) (01 bot) (02 ((0 10) (0 20) bot)) (03 bot) (04 bot)
  (05 ((1 10) (1 20) bot)) (06 bot) )
( (10 bot) (11 bot) (20 bot) (21 bot) (00 bot) (01 bot) (02 ((0 20) (0 10) bot)) (03 bot) (04 bot)
  (05 ((1 20) (1 10) bot)) (06 bot) )
