; Rule D3 is broken on purpose: nobody waits for r.  Its message was delivered, but only a wait copies a message, so x keeps no
; value, the message is not marked, and the run is not well-formed.
; expect infinite: success (not well-formed)
; expect zero: success (not well-formed)
; store infinite 1: done = true
( ( [00 (rcvi r 0 x)] [01 (done := true)] bot )
  ( [10 (sndi s 1 0 1)] bot ) )

( (00 bot) (10 bot) (01 ((0 1) bot)) )
