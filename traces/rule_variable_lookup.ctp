; Variable Lookup: a variable reduces to the value in the store at that moment, so y keeps the old value of x.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 6, y = 5
( ( [00 (x := 5)] [01 (y := x)] [02 (x := (+ x 1))]
    [03 (assert (and (= x 6) (= y 5)))] bot ) )

( (00 bot) (01 bot) (02 bot) (03 bot) )
