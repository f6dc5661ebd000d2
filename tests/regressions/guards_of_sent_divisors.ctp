; Divisors in both branches, deeper than the branch itself, in what is sent: each counts only where its branch is taken.
; check infinite: safe
; check zero: safe
; check infinite --engine explore: safe
; check infinite --engine sat: safe
; check infinite --engine smt: safe
( ( [00 (rcvi r0 0 x)] [01 (wait r0)]
    [02 (sndi s2 0 3 (ite (= x 0) (+ 1 (div 4 (- x 2))) (+ 1 (div 4 (- x 4)))))] bot )
  ( [10 (sndi s0 1 0 0)] bot )
  ( [20 (sndi s1 2 0 2)] bot )
  ( [30 (rcvi r1 3 y)] [31 (wait r1)] [32 (assert (= y -1))] bot ) )
