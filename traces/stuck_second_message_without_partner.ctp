; Zero buffering: one posted receive takes one message, the second movement to the endpoint has nobody to meet, although
; the receive is still pending.  The second receive is only posted afterwards.
; expect infinite: success (well-formed)
; expect zero: error entry 3 at 01: no posted partner
; check infinite: safe
; check zero: safe
; matches infinite 1: r1 = s, r2 = t
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (rcvi r2 0 y)] [03 (wait r2)] bot )
  ( [10 (sndi s 1 0 1)] [11 (sndi t 1 0 2)] bot ) )

( (00 bot) (10 bot) (11 bot) (01 ((0 1) (0 1) bot)) (02 bot) (03 bot) )
