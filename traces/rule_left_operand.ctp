; Left Operand: the left operand is reduced first.  At 00 it is the division by zero that stops the machine, at 10 the missing
; value of v, although each expression holds both faults.
; Rule D5 is broken on purpose: u and v are used and never defined.
; expect infinite: error entry 0 at 00: division by zero; error entry 0 at 10: no value
; expect zero: error entry 0 at 00: division by zero; error entry 0 at 10: no value
( ( [00 (x := (+ (div 1 0) u))] bot )
  ( [10 (y := (+ v (div 1 0)))] bot ) )

( (00 bot) (10 bot) )
( (10 bot) (00 bot) )
