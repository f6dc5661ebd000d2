; An endpoint may send to itself.  The receive is issued before the wait for the send, so no buffer is needed if the message is
; moved in time (trace 1); trace 2 moves it only for the wait on the receive.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); error entry 3 at 03: send not taken
; check infinite: safe
; check zero: safe
; store infinite 1: x = 42
; matches infinite 1: r = s
( ( [00 (x := 41)] [01 (sndi s 0 0 (+ x 1))] [02 (rcvi r 0 x)] [03 (wait s)] [04 (wait r)]
    [05 (assert (= x 42))] bot ) )

( (00 bot) (01 bot) (02 bot) (03 ((0 0) bot)) (04 bot) (05 bot) )
( (00 bot) (01 bot) (02 bot) (03 bot) (04 ((0 0) bot)) (05 bot) )
