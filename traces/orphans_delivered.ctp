; The orphan t was delivered, behind s, but no receive takes it: an unmarked message left at its endpoint is an orphan as well
; as one left in transit.  Without a buffer it cannot even be moved, as nobody is there to meet it.
; expect infinite: success (not well-formed)
; expect zero: error entry 3 at 01: no posted partner
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1
; matches infinite 1: r = s
( ( [00 (rcvi r 0 x)] [01 (wait r)] bot )
  ( [10 (sndi s 1 0 1)] [11 (sndi t 1 0 2)] bot ) )

( (00 bot) (10 bot) (11 bot) (01 ((0 1) (0 1) bot)) )
