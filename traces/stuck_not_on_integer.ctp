; Rule D6 is broken on purpose: not wants a boolean, and so do and, or, xor and =>.  There is no truth in numbers here.
; expect infinite: error entry 0 at 00: wrong sort; error entry 0 at 10: wrong sort; error entry 0 at 20: wrong sort
; expect zero: error entry 0 at 00: wrong sort; error entry 0 at 10: wrong sort; error entry 0 at 20: wrong sort
( ( [00 (x := (not 0))] bot )
  ( [10 (y := (and true 1))] bot )
  ( [20 (z := (=> 0 false))] bot ) )

( (00 bot) )
( (10 bot) )
( (20 bot) )
