; Integers are unbounded: one more than 2^63 - 1 and one less than -2^63 are just the next numbers, and 2^64 squared is 2^128.
; Machine words would wrap around here.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: big = 9223372036854775808, low = -9223372036854775809, sq = 340282366920938463463374607431768211456
( ( [00 (big := (+ 9223372036854775807 1))] [01 (assert (> big 0))]
    [02 (low := (- -9223372036854775808 1))] [03 (assert (< low 0))]
    [04 (sq := (* 18446744073709551616 18446744073709551616))] [05 (assert (!= sq 0))] bot ) )

( (00 bot) (01 bot) (02 bot) (03 bot) (04 bot) (05 bot) )
