; Two threads send to each other and wait for their sends before they receive.  With a buffer both go on; without one neither
; send can ever be taken, whatever the trace (trace 2 tries to move in time and finds no receive posted).
; expect infinite: success (well-formed); success (well-formed)
; expect zero: error entry 2 at 01: send not taken; error entry 2 at 01: no posted partner
; check infinite: safe
; check zero: vacuous, deadlock
; store infinite 1: x = 2, y = 1
; matches infinite 1: r1 = s2, r2 = s1
( ( [00 (sndi s1 0 1 1)] [01 (wait s1)] [02 (rcvi r1 0 x)] [03 (wait r1)] bot )
  ( [10 (sndi s2 1 0 2)] [11 (wait s2)] [12 (rcvi r2 1 y)] [13 (wait r2)] bot ) )

( (00 bot) (10 bot) (01 bot) (11 bot)
  (02 bot) (03 ((0 1) bot)) (12 bot) (13 ((1 0) bot)) )

( (00 bot) (10 bot) (01 ((1 0) bot)) (11 ((0 1) bot))
  (02 bot) (03 bot) (12 bot) (13 bot) )
