; Two threads wait for each other in turn, by one condition variable. The signal of b3 is given to thread 0, which is blocked then.
; Thread 1 waits behind it, and must not take it: its own signal is a8. So each wait has a ticket, and takes no earlier signal.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [l 1] atomic [c.q 0] atomic [c.n 0] atomic [c.p1 0] atomic [c.p2 0] [ping 0] [pong 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume (= ping 0))]
    [a3 (assume true (t0 := c.q) (l := (+ l 1)) (c.q := (+ c.q 1)) (c.n := (+ c.n 1)))]
    [a4 (when (or (< t0 c.p1) (< t0 c.p2)) (c.n := (- c.n 1))
          (c.p1 := (ite (< t0 c.p1) c.p2 c.p1)) (c.p2 := (ite (< t0 c.p2) 0 c.p2)))]
    [a5 (when (> l 0) (l := (- l 1)))] [a6 (assert (= ping 1))] [a7 (pong := 1)]
    [a8 (assume true (c.p1 := (ite (and (= c.p1 0) (> c.n 0)) c.q c.p1))
          (c.p2 := (ite (and (!= c.p1 0) (and (= c.p2 0) (> c.n 1))) c.q c.p2)))]
    [a9 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (ping := 1)]
    [b3 (assume true (c.p1 := (ite (and (= c.p1 0) (> c.n 0)) c.q c.p1))
          (c.p2 := (ite (and (!= c.p1 0) (and (= c.p2 0) (> c.n 1))) c.q c.p2)))]
    [b4 (assume (= pong 0))]
    [b5 (assume true (t1 := c.q) (l := (+ l 1)) (c.q := (+ c.q 1)) (c.n := (+ c.n 1)))]
    [b6 (when (or (< t1 c.p1) (< t1 c.p2)) (c.n := (- c.n 1))
          (c.p1 := (ite (< t1 c.p1) c.p2 c.p1)) (c.p2 := (ite (< t1 c.p2) 0 c.p2)))]
    [b7 (when (> l 0) (l := (- l 1)))] [b8 (assert (= pong 1))] [b9 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (a4 bot) (a5 bot) (a6 bot) (a7 bot) (a8 bot) (a9 bot)
  (b6 bot) (b7 bot) (b8 bot) (b9 bot) )
