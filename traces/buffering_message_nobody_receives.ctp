; Nobody ever receives at endpoint 1.  With a buffer the wait for the send returns and the message is left in transit, an
; orphan; without one the wait never returns.  Trace 2 delivers the message, which leaves it an orphan just the same.
; expect infinite: success (not well-formed); success (not well-formed)
; expect zero: error entry 1 at 01: send not taken; error entry 1 at 01: no posted partner
; check infinite: safe
; check zero: vacuous, deadlock
; store infinite 1: sent = true
; store infinite 2: sent = true
( ( [00 (sndi s 0 1 5)] [01 (wait s)] [02 (sent := true)] bot ) )

( (00 bot) (01 bot) (02 bot) )
( (00 bot) (01 ((1 0) bot)) (02 bot) )
