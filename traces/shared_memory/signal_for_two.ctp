; broadcast.ctp with cond_signal: it unblocks one of the two, and the other one waits forever. Recorded was a run in which the
; program hung. Tickets: c.q is the next one, c.n threads wait, c.p1 and c.p2 are the signals that nobody has taken yet.
; expect infinite: error entry 14: trace used up
; expect zero: error entry 14: trace used up
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
; complete infinite: vacuous
; complete zero: vacuous
(shared [l 1] atomic [c.q 0] atomic [c.n 0] atomic [c.p1 0] atomic [c.p2 0] [open 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume (= open 0))]
    [a3 (assume true (t0 := c.q) (l := (+ l 1)) (c.q := (+ c.q 1)) (c.n := (+ c.n 1)))]
    [a4 (when (or (< t0 c.p1) (< t0 c.p2)) (c.n := (- c.n 1))
          (c.p1 := (ite (< t0 c.p1) c.p2 c.p1)) (c.p2 := (ite (< t0 c.p2) 0 c.p2)))]
    [a5 (when (> l 0) (l := (- l 1)))] [a6 (assert (= open 1))] [a7 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (assume (= open 0))]
    [b3 (assume true (t1 := c.q) (l := (+ l 1)) (c.q := (+ c.q 1)) (c.n := (+ c.n 1)))]
    [b4 (when (or (< t1 c.p1) (< t1 c.p2)) (c.n := (- c.n 1))
          (c.p1 := (ite (< t1 c.p1) c.p2 c.p1)) (c.p2 := (ite (< t1 c.p2) 0 c.p2)))]
    [b5 (when (> l 0) (l := (- l 1)))] [b6 (assert (= open 1))] [b7 (l := (+ l 1))] bot )
  ( [c1 (when (> l 0) (l := (- l 1)))] [c2 (open := 1)]
    [c3 (assume true (c.p1 := (ite (and (= c.p1 0) (> c.n 0)) c.q c.p1))
          (c.p2 := (ite (and (!= c.p1 0) (and (= c.p2 0) (> c.n 1))) c.q c.p2)))]
    [c4 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (c1 bot) (c2 bot) (c3 bot) (c4 bot) (a4 bot) (a5 bot) (a6 bot) (a7 bot) )
