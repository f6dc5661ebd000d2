; Sndi: puts the action and the value at the end of what is in transit from alpha to beta, and returns at once.  The value is
; the one at the send: changing x afterwards does not change the message.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 99, y = 1
; matches infinite 1: r = s
( ( [00 (x := 1)] [01 (sndi s 0 1 x)] [02 (x := 99)] bot )
  ( [10 (rcvi r 1 y)] [11 (wait r)] [12 (assert (= y 1))] bot ) )

( (00 bot) (01 bot) (02 bot) (10 bot) (11 ((1 0) bot)) (12 bot) )
