; A sample held back other messages until the one that it aimed at came, which needs them. It called the end of that execution a
; deadlock, and that replaced the proof that there is none.
; check infinite: safe
; check zero: safe
; check infinite --limit 1: safe
; check zero --limit 1: safe
( ( [0 (rcvi R 0 v)] [1 (wait R)] [2 (sndi S 0 4 1)] bot )
  ( [3 (sndi T 2 4 2)] bot )
  ( [4 (rcvi Q 4 x)] [5 (wait Q)] [6 (sndi U 4 0 0)] [7 (assert (> (+ 2 x) 3))] bot ) )
