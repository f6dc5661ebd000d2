; The checker of certificates took sums whose difference has more than 64 bits for Booleans, and proved by counting that none fails.
; check infinite: violated, data race, 1 switch
; check zero: violated, data race, 1 switch
(shared [y -36893488147419103229])
( ( [a (assert (= (+ y 18446744073709551615) -18446744073709551614))] bot ) ( [b (y := (+ y 1))] bot ) )
