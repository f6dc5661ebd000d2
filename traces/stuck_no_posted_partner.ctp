; Zero buffering: a movement needs a receive already posted at its destination, here none is when 01 moves the message.
; With a buffer the message is delivered early and waits for its receive.
; expect infinite: success (well-formed)
; expect zero: error entry 1 at 01: no posted partner
; check infinite: safe
; check zero: safe
; store infinite 1: ready = true, x = 3
( ( [00 (sndi s 0 1 3)] [01 (ready := true)] bot )
  ( [10 (rcvi r 1 x)] [11 (wait r)] bot ) )

( (00 bot) (01 ((1 0) bot)) (10 bot) (11 bot) )
