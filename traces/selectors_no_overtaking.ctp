; MPI's non-overtaking rule holds for receives of any source and any tag: two messages of one channel arrive in the order sent,
; whatever their tags; a message of another channel can come before, between or behind them.  Three match sets.
; expect infinite: success (well-formed); success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed); success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2, z = 3, a = 1, b = 1, c = 2, n = 6, m = 5
; store infinite 3: x = 3, y = 1, z = 2, a = 2, b = 1, c = 1, n = 0, m = 6
; matches zero 2: r0 = s0, r1 = t0, r2 = s1
( ( [00 (rcvi r0 0 x (source a) (tagged n))] [01 (rcvi r1 0 y (source b) (tagged m))] [02 (rcvi r2 0 z (source c))]
    [03 (wait r0)] [04 (wait r1)] [05 (wait r2)]
    [06 (assert (=> (= a b) (< x y)))] [07 (assert (=> (= b c) (< y z)))] [08 (assert (=> (= a c) (< x z)))] bot )
  ( [10 (sndi s0 1 0 1 (tag 6))] [11 (sndi s1 1 0 2 (tag 5))] bot )
  ( [20 (sndi t0 2 0 3)] bot ) )

( (10 bot) (11 bot) (20 bot) (00 bot) (01 bot) (02 bot)
  (03 ((0 1) bot)) (04 ((0 1) bot)) (05 ((0 2) bot)) (06 bot) (07 bot) (08 bot) )
( (10 bot) (11 bot) (20 bot) (00 bot) (01 bot) (02 bot)
  (03 ((0 1) bot)) (04 ((0 2) bot)) (05 ((0 1) bot)) (06 bot) (07 bot) (08 bot) )
( (10 bot) (11 bot) (20 bot) (00 bot) (01 bot) (02 bot)
  (03 ((0 2) bot)) (04 ((0 1) bot)) (05 ((0 1) bot)) (06 bot) (07 bot) (08 bot) )
