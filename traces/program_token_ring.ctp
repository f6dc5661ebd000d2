; A token goes round three threads, each adds one, and the first gets it back as 3.  All waits are there, and since every thread
; but the first posts its receive before anybody sends to it, no buffer is needed.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store zero 1: x = 3, y = 1, z = 2
; matches zero 1: r0 = s2, r1 = s0, r2 = s1
( ( [00 (sndi s0 0 1 1)] [01 (wait s0)] [02 (rcvi r0 0 x)] [03 (wait r0)] [04 (assert (= x 3))] bot )
  ( [10 (rcvi r1 1 y)] [11 (wait r1)] [12 (sndi s1 1 2 (+ y 1))] [13 (wait s1)] bot )
  ( [20 (rcvi r2 2 z)] [21 (wait r2)] [22 (sndi s2 2 0 (+ z 1))] [23 (wait s2)] bot ) )

( (10 bot) (20 bot)
  (00 bot) (01 ((1 0) bot)) (11 bot)
  (12 bot) (13 ((2 1) bot)) (21 bot)
  (02 bot) (22 bot) (23 ((0 2) bot)) (03 bot) (04 bot) )
