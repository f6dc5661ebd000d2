; Erratum E14, the kinder reading, every call blocking, exact pairs: still excludes a real match set.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (rcvi r1 0 z0)] [01 (wait r1)] [02 (rcvi r0 0 x0)] [03 (wait r0)] [04 (assert false)] bot )
  ( [10 (sndi s3 11 3 1)] [11 (wait s3)] bot )
  ( [20 (sndi s1 2 0 4)] [21 (wait s1)] [22 (sndi s2 2 3 1)] [23 (wait s2)] bot )
  ( [30 (rcvi r3 3 z3)] [31 (wait r3)] [32 (sndi s0 3 0 z3)] [33 (wait s0)] [34 (rcvi r2 3 y3)] [35 (wait r2)] bot ) )

( (00 bot) (10 bot) (20 bot) (30 bot) (01 ((0 2) bot)) (02 bot) (21 bot) (22 bot) (11 ((3 11) bot)) (31 bot) (32 bot)
  (03 ((0 3) bot)) (04 bot) (33 bot) (34 bot) (23 ((3 2) bot)) (35 bot) )
