; The SAT engine looked at a wrong guess in which the guard at 00 is false. Its right-hand side divides by zero and has no value, so
; neither has the assertion. The engine took that for an assertion that holds, and excluded every execution that fails.
; check infinite: violated, 0 switches
; check zero: violated, 0 switches
; check infinite --engine sat: violated, 0 switches
; check zero --engine sat: violated, 0 switches
(shared [y 0] [z 1])
( ( [00 (assume (!= 0 y) (z := (div 2 0)))] bot )
  ( [10 (when true (y := 0) (u := z))] [11 (assert (= 0 u))] bot ) )
