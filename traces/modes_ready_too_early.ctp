; Two ready sends to thread 0, which posts two receives.  Thread 1 sends when both are posted: a message of thread 0 tells it.
; Thread 2 does not wait for that, so its send can come too early.
; expect infinite: success (well-formed); error entry 0 at 20: no receive for a ready send
; expect zero: success (well-formed); error entry 0 at 20: no receive for a ready send
; check infinite: safe, fault
; check zero: safe, fault
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (sndi go 0 1 1)] [03 (wait r1)] [04 (wait r2)] bot )
  ( [10 (rcvi g 1 z)] [11 (wait g)] [12 (rsndi s1 1 0 7)] bot )
  ( [20 (rsndi s2 2 0 8)] bot ) )

( (00 bot) (01 bot) (02 bot) (10 bot) (11 ((1 0) bot)) (12 bot) (20 bot) (03 ((0 1) bot)) (04 ((0 2) bot)) )
( (20 bot) )
