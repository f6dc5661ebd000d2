; Two races that have nothing to do with each other, at endpoints 0 and 1.  Of the four outcomes only (x, y) = (1, 4) breaks the
; assertion: two successful traces can be mixed into a failing one.
; expect infinite: success (well-formed); success (well-formed); failure (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed); failure (well-formed); success (well-formed)
; check infinite: violated
; check zero: violated
; matches infinite 1: r1 = s1, r2 = s2, q1 = t1, q2 = t2
; matches infinite 3: r1 = s1, r2 = s2, q1 = t2, q2 = t1
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 u)] [02 (wait r2)]
    [03 (rcvi q1 1 y)] [04 (rcvi q2 1 v)] [05 (wait q2)]
    [06 (assert (not (and (= x 1) (= y 4))))] bot )
  ( [10 (sndi s1 10 0 1)] [11 (sndi t1 10 1 3)] bot )
  ( [20 (sndi s2 20 0 2)] [21 (sndi t2 20 1 4)] bot ) )

( ; x = 1, y = 3
  (10 bot) (11 bot) (20 bot) (21 bot) (00 bot) (01 bot) (02 ((0 10) (0 20) bot))
  (03 bot) (04 bot) (05 ((1 10) (1 20) bot)) (06 bot) )
( ; x = 2, y = 4
  (10 bot) (11 bot) (20 bot) (21 bot) (00 bot) (01 bot) (02 ((0 20) (0 10) bot))
  (03 bot) (04 bot) (05 ((1 20) (1 10) bot)) (06 bot) )
( ; x = 1, y = 4
  (10 bot) (11 bot) (20 bot) (21 bot) (00 bot) (01 bot) (02 ((0 10) (0 20) bot))
  (03 bot) (04 bot) (05 ((1 20) (1 10) bot)) (06 bot) )
( ; x = 2, y = 3
  (10 bot) (11 bot) (20 bot) (21 bot) (00 bot) (01 bot) (02 ((0 20) (0 10) bot))
  (03 bot) (04 bot) (05 ((1 10) (1 20) bot)) (06 bot) )
