; A sample aimed at R0 = S1. S1 comes behind the wait for R0, so it held back S0 for nothing, and called that a deadlock.
; check infinite: safe
; check infinite --limit 1: safe
; check zero: safe
( ( [00 (sndi S0 0 1 0)] bot )
  ( [10 (rcvi R0 1 x)] [11 (wait R0)] [12 (sndi S1 1 1 1)] [13 (assert (< x 1))] bot ) )
