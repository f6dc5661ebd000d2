; The location is looked at first: 01 is not next, so its movement is not even tried, although it could not be done either.
; expect infinite: error entry 0 at 01: not next
; expect zero: error entry 0 at 01: not next
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r 0 x)] [01 (wait r)] bot )
  ( [10 (sndi s 1 0 1)] bot ) )

( (01 ((0 1) bot)) (00 bot) (10 bot) )
