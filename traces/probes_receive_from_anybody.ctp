; Behind a probe, a receive from anybody may take another message than the one that the probe saw (trace 2).
; expect infinite: success (well-formed); failure (well-formed)
; expect zero: success (well-formed); failure (well-formed)
; check infinite: violated
; check zero: violated
; store infinite 2: x = 2, y = 1, z = 1
; matches infinite 2: r1 = s2, r2 = s1
; matches zero 1: r1 = s1, r2 = s2
( ( [00 (probe p 0 (source y))] [01 (rcvi r1 0 x)] [02 (wait r1)] [03 (rcvi r2 0 z)] [04 (wait r2)] [05 (assert (= x y))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (wait s1)] bot )
  ( [20 (sndi s2 2 0 2)] [21 (wait s2)] bot ) )

( (10 bot) (20 bot) (00 ((peek 0 1) bot)) (01 bot) (02 ((0 1) bot)) (11 bot) (03 bot) (04 ((0 2) bot)) (21 bot) (05 bot) )
( (10 bot) (20 bot) (00 ((peek 0 1) bot)) (01 bot) (02 ((0 2) bot)) (21 bot) (03 bot) (04 ((0 1) bot)) (11 bot) (05 bot) )
