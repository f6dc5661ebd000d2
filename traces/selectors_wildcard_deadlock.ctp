; A receive of any source, then one that wants source 1.  If the first takes 1's only message (traces 2 and 3), the second waits
; for ever: it does not match the message of 2.
; expect infinite: success (well-formed); error entry 5 at 03: no posted partner; error entry 5 at 03: message not there
; expect zero: success (well-formed); error entry 5 at 03: no posted partner; error entry 5 at 03: message not there
; check infinite: safe, deadlock
; check zero: safe, deadlock
; store infinite 1: x = 20, y = 10
; matches zero 1: r0 = t0, r1 = s0
( ( [00 (rcvi r0 0 x)] [01 (wait r0)] [02 (rcvi r1 0 y (from 1))] [03 (wait r1)] [04 (assert (= y 10))] bot )
  ( [10 (sndi s0 1 0 10)] bot )
  ( [20 (sndi t0 2 0 20)] bot ) )

( (10 bot) (20 bot) (00 bot) (01 ((0 2) bot)) (02 bot) (03 ((0 1) bot)) (04 bot) )
( (10 bot) (20 bot) (00 bot) (01 ((0 1) bot)) (02 bot) (03 ((0 2) bot)) )
( (10 bot) (20 bot) (00 bot) (01 ((0 1) bot)) (02 bot) (03 bot) )
