; Two numbers go through a stage that squares them: source, stage and sink.  The second number enters the stage before the first
; has left for the sink (trace 1) or after it has arrived (trace 2), and the order of the numbers is kept.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: a = 9, b = 25, m = 3, n = 5
; matches infinite 1: q1 = s1, q2 = s2, r1 = t1, r2 = t2
( ; the source
  ( [00 (sndi s1 0 1 3)] [01 (sndi s2 0 1 5)] bot )
  ; the stage
  ( [10 (rcvi q1 1 m)] [11 (wait q1)] [12 (sndi t1 1 2 (* m m))]
    [13 (rcvi q2 1 n)] [14 (wait q2)] [15 (sndi t2 1 2 (* n n))] bot )
  ; the sink
  ( [20 (rcvi r1 2 a)] [21 (wait r1)] [22 (rcvi r2 2 b)] [23 (wait r2)]
    [24 (assert (and (= a 9) (= b 25)))] bot ) )

( (00 bot) (01 bot) (10 bot) (11 ((1 0) bot)) (12 bot)
  (13 bot) (14 ((1 0) bot)) (15 bot)
  (20 bot) (21 ((2 1) bot)) (22 bot) (23 ((2 1) bot)) (24 bot) )

( (00 bot) (10 bot) (11 ((1 0) bot)) (12 bot)
  (20 bot) (21 ((2 1) bot)) (22 bot)
  (01 bot) (13 bot) (14 ((1 0) bot)) (15 bot) (23 ((2 1) bot)) (24 bot) )
