; Rule D5 is broken on purpose: x is used before the wait that completes its receive.  The message has been delivered, but only
; the wait copies it to x; until then Variable Lookup has nothing to find.
; expect infinite: error entry 2 at 01: no value
; expect zero: error entry 2 at 01: no value
( ( [00 (rcvi r 0 x)] [01 (y := x)] [02 (wait r)] bot )
  ( [10 (sndi s 1 0 1)] bot ) )

( (00 bot) (10 bot) (01 ((0 1) bot)) (02 bot) )
