; Expressions nest as deep as one likes; this one climbs down and up again and is 21.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 21
( ( [00 (x := (+ 1 (+ 2 (+ 3 (+ 4 (+ 5 (- 6 (* 0 (+ 1 (* 2 (- 3 (div 4 (mod 5 6)))))))))))))]
    [01 (assert (and (and (and (and (= x 21) true) (or false true)) (not (not true))) (=> false false)))] bot ) )

( (00 bot) (01 bot) )
