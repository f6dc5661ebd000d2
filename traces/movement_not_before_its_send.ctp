; The movements of an entry come before its command: a send cannot be moved by the entry that issues it (trace 1), only by a
; later one (trace 2).
; expect infinite: error entry 1 at 10: nothing in transit; success (well-formed)
; expect zero: error entry 1 at 10: nothing in transit; success (well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r 0 x)] [01 (wait r)] bot )
  ( [10 (sndi s 1 0 1)] bot ) )

( (00 bot) (10 ((0 1) bot)) (01 bot) )
( (00 bot) (10 bot) (01 ((0 1) bot)) )
