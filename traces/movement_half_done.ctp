; An entry's movements are done one by one.  The first of the two at 02 succeeds, the second finds nothing in transit: the run
; is an error there, and the state it reports is the one before the entry, with s1 still in transit.
; expect infinite: error entry 3 at 02: nothing in transit
; expect zero: error entry 3 at 02: nothing in transit
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] bot )
  ( [10 (sndi s1 1 0 1)] bot )
  ( [20 (sndi s2 2 0 2)] bot ) )

( (00 bot) (01 bot) (10 bot) (02 ((0 1) (0 2) bot)) (20 bot) )
