; Channels are pairs of endpoints, not of threads: s and t leave one thread by endpoints 1 and 2, so t may be delivered first
; (trace 2) although it is sent second.
; expect infinite: success (well-formed); failure (well-formed)
; expect zero: success (well-formed); failure (well-formed)
; check infinite: violated
; check zero: violated
; store infinite 2: x = 2, y = 1
; matches infinite 1: r1 = s, r2 = t
; matches infinite 2: r1 = t, r2 = s
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (= x 1))] bot )
  ( [10 (sndi s 1 0 1)] [11 (sndi t 2 0 2)] bot ) )

( (10 bot) (11 bot) (00 bot) (01 bot) (02 ((0 1) (0 2) bot)) (03 bot) )
( (10 bot) (11 bot) (00 bot) (01 bot) (02 ((0 2) (0 1) bot)) (03 bot) )
