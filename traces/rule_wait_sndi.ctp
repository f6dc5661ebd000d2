; Wait (Sndi): with a buffer the wait is consumed as soon as its turn comes, the message may still be in transit (trace 1).
; Without a buffer the message must have been taken by a posted receive (trace 2).
; expect infinite: success (well-formed); success (well-formed)
; expect zero: error entry 1 at 01: send not taken; success (well-formed)
; check infinite: safe
; check zero: safe
; store zero 2: x = 5
; matches zero 2: r = s
( ( [00 (sndi s 0 1 5)] [01 (wait s)] bot )
  ( [10 (rcvi r 1 x)] [11 (wait r)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 ((1 0) bot)) )
( (10 bot) (00 bot) (01 ((1 0) bot)) (11 bot) )
