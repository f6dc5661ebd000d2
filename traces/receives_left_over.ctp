; Rule D3 is broken on purpose: the second receive is never waited for and never gets a message.  The run completes, and is not
; well-formed, for q is still pending.
; expect infinite: success (not well-formed)
; expect zero: success (not well-formed)
; store infinite 1: x = 1
; matches infinite 1: r = s
( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (rcvi q 0 y)] bot )
  ( [10 (sndi s 1 0 1)] bot ) )

( (00 bot) (10 bot) (01 ((0 1) bot)) (02 bot) )
