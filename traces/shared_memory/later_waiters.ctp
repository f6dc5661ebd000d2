; Thread 0 waits; a signal; threads 2 and 3 wait; a signal. The first signal is for thread 0: nobody else was blocked. Thread 2 waits
; with a limit, and is woken, or leaves the path; the time of thread 3 passes, and it may use up a signal.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [l 1] atomic [c.q 0] atomic [c.n 0] atomic [c.p1 0] atomic [c.p2 0] atomic [c.p3 0] [step 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (step := 1)]
    [a3 (assume true (t0 := c.q) (l := (+ l 1)) (c.q := (+ c.q 1)) (c.n := (+ c.n 1)))]
    [a4 (when (or (< t0 c.p1) (or (< t0 c.p2) (< t0 c.p3))) (c.n := (- c.n 1))
          (c.p1 := (ite (< t0 c.p1) c.p2 c.p1)) (c.p2 := (ite (< t0 c.p2) c.p3 c.p2)) (c.p3 := (ite (< t0 c.p3) 0 c.p3)))]
    [a5 (when (> l 0) (l := (- l 1)))] [a6 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (assume (= step 1))]
    [b3 (assume true (c.p1 := (ite (and (= c.p1 0) (> c.n 0)) c.q c.p1))
          (c.p2 := (ite (and (!= c.p1 0) (and (= c.p2 0) (> c.n 1))) c.q c.p2))
          (c.p3 := (ite (and (!= c.p2 0) (and (= c.p3 0) (> c.n 2))) c.q c.p3)))]
    [b4 (step := 2)] [b5 (l := (+ l 1))] [b6 (when (> l 0) (l := (- l 1)))] [b7 (assume (= step 4))]
    [b8 (assume true (c.p1 := (ite (and (= c.p1 0) (> c.n 0)) c.q c.p1))
          (c.p2 := (ite (and (!= c.p1 0) (and (= c.p2 0) (> c.n 1))) c.q c.p2))
          (c.p3 := (ite (and (!= c.p2 0) (and (= c.p3 0) (> c.n 2))) c.q c.p3)))]
    [b9 (l := (+ l 1))] bot )
  ( [c1 (when (> l 0) (l := (- l 1)))] [c2 (assume (>= step 2) (step := (+ step 1)))]
    [c3 (assume true (t2 := c.q) (l := (+ l 1)) (c.q := (+ c.q 1)) (c.n := (+ c.n 1)))]
    [c4 (assume (or (< t2 c.p1) (or (< t2 c.p2) (< t2 c.p3))) (c.n := (- c.n 1))
          (c.p1 := (ite (< t2 c.p1) c.p2 c.p1)) (c.p2 := (ite (< t2 c.p2) c.p3 c.p2)) (c.p3 := (ite (< t2 c.p3) 0 c.p3)))]
    [c5 (when (> l 0) (l := (- l 1)))] [c6 (l := (+ l 1))] bot )
  ( [d1 (when (> l 0) (l := (- l 1)))] [d2 (assume (>= step 2) (step := (+ step 1)))]
    [d3 (assume true (t3 := c.q) (l := (+ l 1)) (c.q := (+ c.q 1)) (c.n := (+ c.n 1)))]
    [d4 (assume true (c.n := (- c.n 1))
          (c.p1 := (ite (< t3 c.p1) c.p2 c.p1)) (c.p2 := (ite (< t3 c.p2) c.p3 c.p2)) (c.p3 := (ite (< t3 c.p3) 0 c.p3)))]
    [d5 (when (> l 0) (l := (- l 1)))] [d6 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (c1 bot) (c2 bot) (c3 bot) (d1 bot) (d2 bot) (d3 bot)
  (b6 bot) (b7 bot) (b8 bot) (b9 bot) (a4 bot) (a5 bot) (a6 bot) (c4 bot) (c5 bot) (c6 bot) (d4 bot) (d5 bot) (d6 bot) )
