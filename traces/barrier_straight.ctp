; The straight barrier: the receive is waited for before it, so only the message that is sent before it comes into question.  A
; command behind a barrier cannot run as long as a thread has not come to it (trace 2).
; expect infinite: success (well-formed); error entry 1 at 20: not at barrier
; expect zero: success (well-formed); error entry 1 at 20: not at barrier
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r0 0 x)] [01 (wait r0)] [02 (barrier B)] [03 (rcvi r1 0 y)] [04 (wait r1)] [05 (assert (= x 1))] bot )
  ( [10 (sndi s0 1 0 1)] [11 (wait s0)] [12 (barrier B)] bot )
  ( [20 (barrier B)] [21 (sndi t0 2 0 2)] [22 (wait t0)] bot ) )

( (10 bot) (00 bot) (01 ((0 1) bot)) (11 bot) (12 bot) (02 bot) (20 bot) (21 bot) (03 bot) (04 ((0 2) bot)) (05 bot) (22 bot) )
( (10 bot) (20 bot) )
