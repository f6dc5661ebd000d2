; Rule D2 is broken on purpose: the wait stands before its send.  With a buffer it is consumed, for a wait on a send wants
; nothing; with zero buffering a send that was never issued has not been taken by anybody, and no rule applies.
; expect infinite: success (well-formed)
; expect zero: error entry 1 at 10: send not issued
; matches infinite 1: r = s
( ( [00 (rcvi r 0 x)] [01 (wait r)] bot )
  ( [10 (wait s)] [11 (sndi s 1 0 1)] bot ) )

( (00 bot) (10 bot) (11 bot) (01 ((0 1) bot)) )
