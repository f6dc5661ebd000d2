; Rule D6 is broken on purpose: + wants two integers, and so does <.  Both operands are reduced before anybody looks at sorts,
; so at 20 it is the division that stops the machine and not the boolean.
; expect infinite: error entry 0 at 00: wrong sort; error entry 0 at 10: wrong sort; error entry 0 at 20: division by zero
; expect zero: error entry 0 at 00: wrong sort; error entry 0 at 10: wrong sort; error entry 0 at 20: division by zero
( ( [00 (x := (+ 1 true))] bot )
  ( [10 (assert (< false true))] bot )
  ( [20 (y := (+ true (div 1 0)))] bot ) )

( (00 bot) )
( (10 bot) )
( (20 bot) )
