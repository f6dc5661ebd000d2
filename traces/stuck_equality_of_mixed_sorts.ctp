; Rule D6 is broken on purpose: = and != compare two integers or two booleans.  1 and true are not unequal, they cannot be
; compared at all.
; expect infinite: error entry 0 at 00: wrong sort; error entry 0 at 10: wrong sort
; expect zero: error entry 0 at 00: wrong sort; error entry 0 at 10: wrong sort
( ( [00 (x := (= 1 true))] bot )
  ( [10 (y := (!= false 0))] bot ) )

( (00 bot) (10 bot) )
( (10 bot) (00 bot) )
