; A walk over expressions that knew operators with one and two operands took the last one of `ite` for a boolean of its
; own, so that counting called this safe.
; check infinite: violated
; check zero: violated
; check infinite --engine explore: violated
; check infinite --engine sat: violated
; check infinite --engine smt: violated
( ( [00 (rcvi r0 0 x)] [01 (wait r0)] [02 (assert (or (= x 99) (ite true (= x 1) (= x 97))))] bot )
  ( [10 (sndi s0 1 0 1)] bot )
  ( [20 (sndi s1 2 0 5)] bot ) )
