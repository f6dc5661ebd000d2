; A condition that divides is copied into the guard of each divisor that it decides about: nested, that doubles the
; expression each time. The program is not lowered then, and explored.
; check infinite: safe
; check zero: safe
; check infinite --engine sat: safe
; check infinite --engine smt: safe
( ( [00 (rcvi r0 0 v)] [01 (wait r0)]
    [02 (y := (ite (= 29 (div 3 v)) 2 (ite (= 28 (div 3 v)) 2 (ite (= 27 (div 3 v)) 2 (ite (= 26 (div 3 v)) 2 (ite (= 25 (div 3 v)) 2 (ite (= 24 (div 3 v)) 2 (ite (= 23 (div 3 v)) 2 (ite (= 22 (div 3 v)) 2 (ite (= 21 (div 3 v)) 2 (ite (= 20 (div 3 v)) 2 (ite (= 19 (div 3 v)) 2 (ite (= 18 (div 3 v)) 2 (ite (= 17 (div 3 v)) 2 (ite (= 16 (div 3 v)) 2 (ite (= 15 (div 3 v)) 2 (ite (= 14 (div 3 v)) 2 (ite (= 13 (div 3 v)) 2 (ite (= 12 (div 3 v)) 2 (ite (= 11 (div 3 v)) 2 (ite (= 10 (div 3 v)) 2 (ite (= 9 (div 3 v)) 2 (ite (= 8 (div 3 v)) 2 (ite (= 7 (div 3 v)) 2 (ite (= 6 (div 3 v)) 2 (ite (= 5 (div 3 v)) 2 (ite (= 4 (div 3 v)) 2 (ite (= 3 (div 3 v)) 2 (ite (= 1 (div 5 (ite (= 1 (div 4 (ite (= 1 (div 3 (div 6 v))) 2 (div 6 v)))) 2 (ite (= 1 (div 3 (div 6 v))) 2 (div 6 v))))) 2 (ite (= 1 (div 4 (ite (= 1 (div 3 (div 6 v))) 2 (div 6 v)))) 2 (ite (= 1 (div 3 (div 6 v))) 2 (div 6 v))))))))))))))))))))))))))))))))]
    [03 (assert (>= y 2))] bot )
  ( [10 (sndi s0 1 0 1)] bot )
  ( [20 (sndi s1 2 0 2)] bot ) )
