; spurious_wakeup.ctp with `if` in place of the loop: who wakes up believes that there was a signal. Recorded was a run with one.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: violated, 0 switches
; check zero: violated, 0 switches
; complete infinite: violated, 1 switch
; complete zero: violated, 1 switch
(shared [l 1] atomic [c.n 0] atomic [c.p 0] [ready 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume (= ready 0))] [a3 (assume true (l := (+ l 1)) (c.n := 1))]
    [a4 (assume true (c.n := 0) (c.p := 0))] [a5 (when (> l 0) (l := (- l 1)))] [a6 (assert (= ready 1))] [a7 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (ready := 1)] [b3 (assume true (c.p := c.n))] [b4 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (a4 bot) (a5 bot) (a6 bot) (a7 bot) )
