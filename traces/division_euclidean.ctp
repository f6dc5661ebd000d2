; div and mod are SMT-LIB's (Euclidean): n = d * (n div d) + (n mod d) with 0 <= n mod d < |d|, so a remainder is never
; negative. C's truncating division gives -3 and -1 for -7 and 2, floor division -4 and -1 for 7 and -2; neither would pass
; here.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: q1 = 3, q2 = -4, q3 = -3, q4 = 4, r1 = 1, r2 = 1, r3 = 1, r4 = 1
( ( [01 (q1 := (div 7 2))]   [02 (r1 := (mod 7 2))]
    [03 (q2 := (div -7 2))]  [04 (r2 := (mod -7 2))]
    [05 (q3 := (div 7 -2))]  [06 (r3 := (mod 7 -2))]
    [07 (q4 := (div -7 -2))] [08 (r4 := (mod -7 -2))]
    [09 (assert (= -7 (+ (* 2 q2) r2)))] [10 (assert (= 7 (+ (* -2 q3) r3)))]
    [11 (assert (= -7 (+ (* -2 q4) r4)))] bot ) )

( (01 bot) (02 bot) (03 bot) (04 bot) (05 bot) (06 bot) (07 bot) (08 bot) (09 bot) (10 bot) (11 bot) )
