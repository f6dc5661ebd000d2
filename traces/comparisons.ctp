; The six comparisons of integers, each side of each border.  All assertions hold.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
( ( [l1 (assert (< -1 0))]  [l2 (assert (not (< 0 0)))]  [l3 (assert (not (< 1 0)))]
    [m1 (assert (<= -1 0))] [m2 (assert (<= 0 0))]       [m3 (assert (not (<= 1 0)))]
    [g1 (assert (> 1 0))]   [g2 (assert (not (> 0 0)))]  [g3 (assert (not (> -1 0)))]
    [h1 (assert (>= 1 0))]  [h2 (assert (>= 0 0))]       [h3 (assert (not (>= -1 0)))]
    [e1 (assert (= -3 -3))] [e2 (assert (not (= -3 3)))]
    [n1 (assert (!= -3 3))] [n2 (assert (not (!= 3 3)))] bot ) )

( (l1 bot) (l2 bot) (l3 bot) (m1 bot) (m2 bot) (m3 bot) (g1 bot) (g2 bot) (g3 bot)
  (h1 bot) (h2 bot) (h3 bot) (e1 bot) (e2 bot) (n1 bot) (n2 bot) )
