; Two threads send to each other and wait for their sends before they receive.  Synchronous sends wait for their receives under
; either buffering, so neither thread ever gets there.
; expect infinite: error entry 2 at 01: send not taken; error entry 2 at 01: no posted partner
; expect zero: error entry 2 at 01: send not taken; error entry 2 at 01: no posted partner
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
( ( [00 (ssndi s1 0 1 1)] [01 (wait s1)] [02 (rcvi r1 0 x)] [03 (wait r1)] bot )
  ( [10 (ssndi s2 1 0 2)] [11 (wait s2)] [12 (rcvi r2 1 y)] [13 (wait r2)] bot ) )

( (00 bot) (10 bot) (01 bot) )
( (00 bot) (10 bot) (01 ((1 0) bot)) )
