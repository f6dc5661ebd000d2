; Threads only try to take the lock. Their tries raced on it: nothing but a `when` told that a variable is a lock.
; check infinite: safe
; check zero: safe
(shared [l 1] [x 0])
( ( [a1 (assume (> l 0) (l := (- l 1)))] [a2 (x := 1)] [a3 (l := (+ l 1))] bot )
  ( [b1 (assume (= l 0))] [b2 (assume (> l 0) (l := (- l 1)))] [b3 (assert (= x 1))] [b4 (l := (+ l 1))] bot ) )
