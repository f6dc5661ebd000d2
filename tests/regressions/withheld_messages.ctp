; A sample that holds back some messages took the others for all there are, and called the end of that execution a deadlock.
; check infinite: safe
; check zero: safe
( ( [c19 (rcvi R5 0 v5)] [c34 (rcvi R8 0 v8)] [c36 (wait R8)] [c55 (sndi S12 0 4 1)] bot )
  ( [c24 (sndi S6 1 3 4)] bot )
  ( [c5 (sndi S2 2 4 2)] bot )
  ( [c25 (rcvi R6 3 v6)] [c26 (wait R6)] [c33 (sndi S8 3 0 v6)] bot )
  ( [c6 (rcvi R2 4 v2)] [c8 (wait R2)] [c18 (sndi S5 4 0 0)] [c21 (assert (> (+ 2 v2) 3))] [c56 (rcvi R12 4 v12)] [c57 (wait R12)] bot ) )
