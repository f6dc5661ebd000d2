; Exact quotients have remainder 0 whatever the signs, zero divides to zero, and a small number divided by a large one is 0 or,
; below zero, one step away from it: -1 div 1000 = -1 with remainder 999, -1 div -1000 = 1 with remainder 999.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
( ( [e1 (assert (= (div 6 -2) -3))]      [e2 (assert (= (mod 6 -2) 0))]
    [e3 (assert (= (div -6 -2) 3))]      [e4 (assert (= (mod -6 -2) 0))]
    [e5 (assert (= (div -6 2) -3))]      [e6 (assert (= (mod -6 2) 0))]
    [z1 (assert (= (div 0 -5) 0))]       [z2 (assert (= (mod 0 -5) 0))]
    [s1 (assert (= (div 1 1000) 0))]     [s2 (assert (= (mod 1 1000) 1))]
    [s3 (assert (= (div -1 1000) -1))]   [s4 (assert (= (mod -1 1000) 999))]
    [s5 (assert (= (div 1 -1000) 0))]    [s6 (assert (= (mod 1 -1000) 1))]
    [s7 (assert (= (div -1 -1000) 1))]   [s8 (assert (= (mod -1 -1000) 999))] bot ) )

( (e1 bot) (e2 bot) (e3 bot) (e4 bot) (e5 bot) (e6 bot) (z1 bot) (z2 bot)
  (s1 bot) (s2 bot) (s3 bot) (s4 bot) (s5 bot) (s6 bot) (s7 bot) (s8 bot) )
