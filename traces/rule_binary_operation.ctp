; Binary Operation: once both operands are values the operator is applied to them, innermost first.
; ((2 + 3) * (10 - 4)) = 30, and the comparison of the two halves is an ordinary value too.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: less = true, n = 30
( ( [00 (n := (* (+ 2 3) (- 10 4)))]
    [01 (less := (< (+ 2 3) (- 10 4)))]
    [02 (assert (and less (= n 30)))] bot ) )

( (00 bot) (01 bot) (02 bot) )
