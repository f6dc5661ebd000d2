; Sndi's payload is an expression, reduced before the message is put in transit: (x * x) + (6 div x) is 37 with x = 6.
; In trace 2 x = 0 and the payload has no value, so the send itself cannot happen.  In trace 1 the 0 stays in transit.
; expect infinite: success (not well-formed); error entry 4 at 12: division by zero
; expect zero: success (not well-formed); error entry 4 at 12: division by zero
; check infinite: safe, fault
; check zero: safe, fault
; store infinite 1: x = 6, y = 37, z = 4
; matches infinite 1: r1 = s1, r2 = s2, rx = six
( ( [00 (rcvi r1 0 y)] [01 (rcvi r2 0 z)] [02 (wait r2)] bot )
  ( [10 (rcvi rx 1 x)] [11 (wait rx)]
    [12 (sndi s1 1 0 (+ (* x x) (div 6 x)))] [13 (sndi s2 1 0 (- x 2))] bot )
  ( [20 (sndi six 2 1 6)] bot )
  ( [30 (sndi nil 3 1 0)] bot ) )

( (20 bot) (30 bot) (10 bot) (11 ((1 2) bot)) (12 bot) (13 bot)
  (00 bot) (01 bot) (02 ((0 1) (0 1) bot)) )

( (20 bot) (30 bot) (10 bot) (11 ((1 3) bot)) (12 bot) (13 bot)
  (00 bot) (01 bot) (02 ((0 1) (0 1) bot)) )
