; The crooked barrier.  The receive is posted before the barrier and waited for behind it, so it can get the message that is sent
; before the barrier (trace 1), and also the one that is sent behind it (trace 2): that the first has been sent does not say
; that it has arrived.
; expect infinite: success (well-formed); failure (well-formed)
; expect zero: success (well-formed); failure (well-formed)
; check infinite: violated
; check zero: violated
; matches infinite 1: r0 = s0, r1 = t0
; matches zero 2: r0 = t0, r1 = s0
( ( [00 (rcvi r0 0 x)] [01 (barrier B)] [02 (rcvi r1 0 y)] [03 (wait r0)] [04 (wait r1)] [05 (assert (= x 1))] bot )
  ( [10 (sndi s0 1 0 1)] [11 (barrier B)] [12 (wait s0)] bot )
  ( [20 (barrier B)] [21 (sndi t0 2 0 2)] [22 (wait t0)] bot ) )

( (00 bot) (10 bot) (01 bot) (11 bot) (20 bot) (21 bot) (02 bot)
  (03 ((0 1) bot)) (04 ((0 2) bot)) (05 bot) (12 bot) (22 bot) )
( (00 bot) (10 bot) (11 bot) (20 bot) (21 bot) (01 bot) (02 bot)
  (03 ((0 2) bot)) (04 ((0 1) bot)) (05 bot) (12 bot) (22 bot) )
