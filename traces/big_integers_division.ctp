; Euclidean division of large negative numbers: -(2^128) - 1 divided by 2^64 rounds down, with remainder 2^64 - 1, and a
; negative divisor turns the quotient round but not the remainder.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: n = -340282366920938463463374607431768211457, q = -18446744073709551617, r = 18446744073709551615, u = 18446744073709551617
( ( [00 (n := (- -340282366920938463463374607431768211456 1))]
    [01 (q := (div n 18446744073709551616))] [02 (r := (mod n 18446744073709551616))]
    [03 (u := (div n -18446744073709551616))]
    [04 (assert (= r (mod n -18446744073709551616)))]
    [05 (assert (= n (+ (* q 18446744073709551616) r)))] bot ) )

( (00 bot) (01 bot) (02 bot) (03 bot) (04 bot) (05 bot) )
