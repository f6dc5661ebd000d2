; Assign: the expression is reduced, then its value stored; a variable may be assigned again, from its own old value, and may
; even change its sort from one definition to the next.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = true
( ( [00 (x := 1)] [01 (x := (+ x x))] [02 (x := (* x 10))] [03 (assert (= x 20))]
    [04 (x := (= x 20))] [05 (assert x)] bot ) )

( (00 bot) (01 bot) (02 bot) (03 bot) (04 bot) (05 bot) )
