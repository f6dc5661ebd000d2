; A message issued later, even because of an earlier one, may be delivered first.  s is sent to 0 before k to 1; thread 1
; answers k with m to 0; m overtakes s (trace 1) or not (trace 2).  Nobody waits for s, so no buffer is needed for that.
; expect infinite: failure (well-formed); success (well-formed)
; expect zero: failure (well-formed); success (well-formed)
; check infinite: violated
; check zero: violated
; store infinite 1: x = 7, y = 4, z = 7
; matches infinite 1: r1 = m, r2 = s, q = k
; matches infinite 2: r1 = s, r2 = m, q = k
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (rcvi r2 0 y)] [03 (wait r2)] [04 (assert (= x 4))] bot )
  ( [10 (rcvi q 1 z)] [11 (wait q)] [12 (sndi m 1 0 z)] [13 (wait m)] bot )
  ( [20 (sndi s 2 0 4)] [21 (sndi k 2 1 7)] [22 (wait k)] bot ) )

( (20 bot) (10 bot) (21 bot) (22 ((1 2) bot)) (11 bot)
  (00 bot) (12 bot) (13 ((0 1) bot)) (01 bot)
  (02 bot) (03 ((0 2) bot)) (04 bot) )

( (20 bot) (10 bot) (21 bot) (22 ((1 2) bot)) (11 bot)
  (00 bot) (01 ((0 2) bot))
  (02 bot) (12 bot) (13 ((0 1) bot)) (03 bot) (04 bot) )
