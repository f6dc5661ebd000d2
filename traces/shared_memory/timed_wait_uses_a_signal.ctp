; Thread 1 of timed_wait.ctp beside a thread that waits without a limit. The signal may unblock thread 1 just as its time passes: it
; does without the item and wakes nobody up, and thread 0 waits forever. Who gives up has to pass the signal on.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe, deadlock
; check zero: safe, deadlock
; complete infinite: safe
; complete zero: safe
(shared [l 1] atomic [c.q 0] atomic [c.n 0] atomic [c.p1 0] atomic [c.p2 0] [items 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume (= items 0))]
    [a3 (assume true (t0 := c.q) (l := (+ l 1)) (c.q := (+ c.q 1)) (c.n := (+ c.n 1)))]
    [a4 (when (or (< t0 c.p1) (< t0 c.p2)) (c.n := (- c.n 1))
          (c.p1 := (ite (< t0 c.p1) c.p2 c.p1)) (c.p2 := (ite (< t0 c.p2) 0 c.p2)))]
    [a5 (when (> l 0) (l := (- l 1)))] [a6 (assume (> items 0) (items := (- items 1)))] [a7 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (assume (= items 0))]
    [b3 (assume true (t1 := c.q) (l := (+ l 1)) (c.q := (+ c.q 1)) (c.n := (+ c.n 1)))]
    [b4 (assume true (c.n := (- c.n 1))
          (c.p1 := (ite (< t1 c.p1) c.p2 c.p1)) (c.p2 := (ite (< t1 c.p2) 0 c.p2)))]
    [b5 (when (> l 0) (l := (- l 1)))] [b6 (l := (+ l 1))] bot )
  ( [c1 (when (> l 0) (l := (- l 1)))] [c2 (items := 1)]
    [c3 (assume true (c.p1 := (ite (and (= c.p1 0) (> c.n 0)) c.q c.p1))
          (c.p2 := (ite (and (!= c.p1 0) (and (= c.p2 0) (> c.n 1))) c.q c.p2)))]
    [c4 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (b6 bot) (c1 bot) (c2 bot) (c3 bot) (c4 bot)
  (a4 bot) (a5 bot) (a6 bot) (a7 bot) )
