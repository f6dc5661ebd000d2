; Right Operand: the right operand is reduced too, whatever the left one is.  "and", "or" and "=>" have no short cut: (or
; true ...) still divides by zero when d = 0.  Two sends race for one receive, so trace 1 leaves the zero in transit as an
; orphan.
; expect infinite: success (not well-formed); error entry 3 at 02: division by zero
; expect zero: success (not well-formed); error entry 3 at 02: division by zero
; check infinite: safe, fault
; check zero: safe, fault
; store infinite 1: d = 2, ok = true
; matches infinite 1: r = s1
( ( [00 (rcvi r 0 d)] [01 (wait r)] [02 (ok := (or true (= (div 10 d) 5)))] bot )
  ( [10 (sndi s1 1 0 2)] bot )
  ( [20 (sndi s2 2 0 0)] bot ) )

( (10 bot) (00 bot) (01 ((0 1) bot)) (20 bot) (02 bot) )
( (20 bot) (00 bot) (01 ((0 2) bot)) (02 bot) (10 bot) )
