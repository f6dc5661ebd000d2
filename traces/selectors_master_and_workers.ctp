; A master answers whoever sent: a source variable says who that was.  A program is one path, so the answers go to 1 first and
; then to 2, and the assumptions say so; the run in which 2's message comes first (trace 2) leaves the path.
; expect infinite: success (well-formed); infeasible (well-formed)
; expect zero: success (well-formed); infeasible (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: a = 7, w = 1, b = 8, v = 2, x = 70, y = 80
; matches zero 2: q0 = t0, q1 = s0, r0 = p0, r1 = p1
( ( [00 (rcvi q0 0 a (source w))] [01 (wait q0)] [02 (assume (= w 1))] [03 (sndi p0 0 1 (* 10 a))]
    [04 (rcvi q1 0 b (source v))] [05 (wait q1)] [06 (assume (= v 2))] [07 (sndi p1 0 2 (* 10 b))] bot )
  ( [10 (sndi s0 1 0 7)] [11 (rcvi r0 1 x (from 0))] [12 (wait r0)] [13 (assert (= x 70))] bot )
  ( [20 (sndi t0 2 0 8)] [21 (rcvi r1 2 y (from 0))] [22 (wait r1)] [23 (assert (= y 80))] bot ) )

( (10 bot) (20 bot) (00 bot) (01 ((0 1) bot)) (02 bot) (03 bot) (04 bot) (05 ((0 2) bot)) (06 bot) (07 bot)
  (11 bot) (12 ((1 0) bot)) (13 bot) (21 bot) (22 ((2 0) bot)) (23 bot) )
( (10 bot) (20 bot) (00 bot) (01 ((0 2) bot)) (02 bot) (03 bot) (04 bot) (05 ((0 1) bot)) (06 bot) (07 bot)
  (11 bot) (12 ((1 0) bot)) (13 bot) (21 bot) (22 ((2 0) bot)) (23 bot) )
