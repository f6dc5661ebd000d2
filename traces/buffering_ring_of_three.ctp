; Each of three threads sends to the next, waits for its send, then receives.  With a buffer the ring goes round; without one
; every thread waits for the next (trace 1).  It is enough to post one receive early, but no thread here does.
; expect infinite: success (well-formed)
; expect zero: error entry 3 at 01: send not taken
; check infinite: safe
; check zero: vacuous, deadlock
; store infinite 1: x = 3, y = 1, z = 2
; matches infinite 1: r0 = s2, r1 = s0, r2 = s1
( ( [00 (sndi s0 0 1 1)] [01 (wait s0)] [02 (rcvi r0 0 x)] [03 (wait r0)] bot )
  ( [10 (sndi s1 1 2 2)] [11 (wait s1)] [12 (rcvi r1 1 y)] [13 (wait r1)] bot )
  ( [20 (sndi s2 2 0 3)] [21 (wait s2)] [22 (rcvi r2 2 z)] [23 (wait r2)] bot ) )

( (00 bot) (10 bot) (20 bot) (01 bot) (11 bot) (21 bot)
  (02 bot) (03 ((0 2) bot)) (12 bot) (13 ((1 0) bot)) (22 bot) (23 ((2 1) bot)) )
