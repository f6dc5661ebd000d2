; A master hands 10 and 20 to two workers, who answer with the squares.  The answers race, so p and q may be swapped, but their
; sum is 500 in both traces.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: m = 10, n = 20, p = 100, q = 400, sum = 500
; store infinite 2: m = 10, n = 20, p = 400, q = 100, sum = 500
; matches infinite 2: rp = a2, rq = a1, w1 = h1, w2 = h2
( ; the master
  ( [00 (sndi h1 0 1 10)] [01 (sndi h2 0 2 20)]
    [02 (rcvi rp 0 p)] [03 (rcvi rq 0 q)] [04 (wait rp)] [05 (wait rq)]
    [06 (sum := (+ p q))] [07 (assert (= sum 500))] bot )
  ; the workers
  ( [10 (rcvi w1 1 m)] [11 (wait w1)] [12 (sndi a1 1 0 (* m m))] [13 (wait a1)] bot )
  ( [20 (rcvi w2 2 n)] [21 (wait w2)] [22 (sndi a2 2 0 (* n n))] [23 (wait a2)] bot ) )

( (00 bot) (01 bot) (02 bot) (03 bot)
  (10 bot) (11 ((1 0) bot)) (12 bot) (13 ((0 1) bot))
  (20 bot) (21 ((2 0) bot)) (22 bot) (23 ((0 2) bot))
  (04 bot) (05 bot) (06 bot) (07 bot) )

( (00 bot) (01 bot) (02 bot) (03 bot)
  (10 bot) (11 ((1 0) bot)) (12 bot)
  (20 bot) (21 ((2 0) bot)) (22 bot) (23 ((0 2) bot))
  (04 bot) (05 ((0 1) bot)) (13 bot) (06 bot) (07 bot) )
