; A wait may wake up without a signal. Recorded was a run in which thread 0 did so once, looked at the condition in its loop, and
; waited again.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [l 1] atomic [c.n 0] atomic [c.p 0] [ready 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume (= ready 0))] [a3 (assume true (l := (+ l 1)) (c.n := 1))]
    [a4 (assume true (c.n := 0) (c.p := 0))] [a5 (when (> l 0) (l := (- l 1)))] [a6 (assume (= ready 0))]
    [a7 (assume true (l := (+ l 1)) (c.n := 1))] [a8 (when (= c.p 1) (c.n := 0) (c.p := 0))]
    [a9 (when (> l 0) (l := (- l 1)))] [a10 (assert (= ready 1))] [a11 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (ready := 1)] [b3 (assume true (c.p := c.n))] [b4 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (a5 bot) (a6 bot) (a7 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (a8 bot) (a9 bot) (a10 bot)
  (a11 bot) )
