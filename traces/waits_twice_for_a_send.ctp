; Rule D2 is broken on purpose: s is waited for twice.  A wait on a send asks whether the message has been taken (zero
; buffering) or asks nothing (infinite), and the answer does not change: unlike the second wait for a receive, this one is
; harmless.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; store infinite 1: x = 6
( ( [00 (rcvi r 0 x)] [01 (wait r)] bot )
  ( [10 (sndi s 1 0 6)] [11 (wait s)] [12 (wait s)] bot ) )

( (00 bot) (10 bot) (11 ((0 1) bot)) (01 bot) (12 bot) )
