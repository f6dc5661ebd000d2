; A thread that waits for the send to itself before it posts the receive: a buffer keeps the message, without one the thread
; waits for itself.  Trace 2 moves the message at that wait, which only a buffer allows.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: error entry 1 at 01: send not taken; error entry 1 at 01: no posted partner
; check infinite: safe
; check zero: vacuous, deadlock
; store infinite 1: x = 5
( ( [00 (sndi s 0 0 5)] [01 (wait s)] [02 (rcvi r 0 x)] [03 (wait r)] bot ) )

( (00 bot) (01 bot) (02 bot) (03 ((0 0) bot)) )
( (00 bot) (01 ((0 0) bot)) (02 bot) (03 bot) )
