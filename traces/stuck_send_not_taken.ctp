; Zero buffering: at its wait a send must have been taken.  Trace 1 moves the message one entry too late, trace 2 in time.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: error entry 2 at 11: send not taken; success (well-formed)
; check infinite: safe
; check zero: safe
; matches zero 2: r = s
( ( [00 (rcvi r 0 x)] [01 (wait r)] bot )
  ( [10 (sndi s 1 0 1)] [11 (wait s)] bot ) )

( (00 bot) (10 bot) (11 bot) (01 ((0 1) bot)) )
( (00 bot) (10 bot) (11 ((0 1) bot)) (01 bot) )
