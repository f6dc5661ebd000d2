; div has no value for a zero divisor, so no rule applies; whether it is zero may depend on the race.  Trace 1 divides 12 by
; 7 - 3 = 4, trace 2 by 3 - 3.  The order of the two receives is all that differs.
; expect infinite: success (well-formed); error entry 5 at 03: division by zero
; expect zero: success (well-formed); error entry 5 at 03: division by zero
; check infinite: safe, fault
; check zero: safe, fault
; store infinite 1: q = 3, x = 7, y = 3
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (q := (div 12 (- x 3)))] bot )
  ( [10 (sndi s 1 0 7)] bot )
  ( [20 (sndi t 2 0 3)] bot ) )

( (00 bot) (01 bot) (10 bot) (20 bot) (02 ((0 1) (0 2) bot)) (03 bot) )
( (00 bot) (01 bot) (10 bot) (20 bot) (02 ((0 2) (0 1) bot)) (03 bot) )
