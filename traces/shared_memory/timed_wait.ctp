; cond_timedwait of two threads for one item. Recorded was a run in which thread 0 was woken, and the time of thread 1 passed: it
; looks at the condition again, and does without. It may have used up the signal all the same, so thread 0 may not be woken; its
; time passes then, too, which is no deadlock: that leaves the recorded path.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [l 1] atomic [c.q 0] atomic [c.n 0] atomic [c.p1 0] atomic [c.p2 0] [items 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume (= items 0))]
    [a3 (assume true (t0 := c.q) (l := (+ l 1)) (c.q := (+ c.q 1)) (c.n := (+ c.n 1)))]
    [a4 (assume (or (< t0 c.p1) (< t0 c.p2)) (c.n := (- c.n 1))
          (c.p1 := (ite (< t0 c.p1) c.p2 c.p1)) (c.p2 := (ite (< t0 c.p2) 0 c.p2)))]
    [a5 (when (> l 0) (l := (- l 1)))] [a6 (assume (> items 0) (items := (- items 1)))] [a7 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (assume (= items 0))]
    [b3 (assume true (t1 := c.q) (l := (+ l 1)) (c.q := (+ c.q 1)) (c.n := (+ c.n 1)))]
    [b4 (assume true (c.n := (- c.n 1))
          (c.p1 := (ite (< t1 c.p1) c.p2 c.p1)) (c.p2 := (ite (< t1 c.p2) 0 c.p2)))]
    [b5 (when (> l 0) (l := (- l 1)))] [b6 (assume (= items 0))] [b7 (l := (+ l 1))] bot )
  ( [c1 (when (> l 0) (l := (- l 1)))] [c2 (items := 1)]
    [c3 (assume true (c.p1 := (ite (and (= c.p1 0) (> c.n 0)) c.q c.p1))
          (c.p2 := (ite (and (!= c.p1 0) (and (= c.p2 0) (> c.n 1))) c.q c.p2)))]
    [c4 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (b6 bot) (b7 bot) (c1 bot) (c2 bot) (c3 bot) (c4 bot)
  (a4 bot) (a5 bot) (a6 bot) (a7 bot) )
