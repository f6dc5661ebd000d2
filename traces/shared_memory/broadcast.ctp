; Two threads wait for one condition, and a broadcast unblocks both. c counts broadcasts; a wait takes none from before it.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [l 1] [c 0] [open 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume (= open 0))] [a3 (assume true (t0 := c) (l := (+ l 1)))] [a4 (when (> c t0))]
    [a5 (when (> l 0) (l := (- l 1)))] [a6 (assert (= open 1))] [a7 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (assume (= open 0))] [b3 (assume true (t1 := c) (l := (+ l 1)))] [b4 (when (> c t1))]
    [b5 (when (> l 0) (l := (- l 1)))] [b6 (assert (= open 1))] [b7 (l := (+ l 1))] bot )
  ( [c1 (when (> l 0) (l := (- l 1)))] [c2 (open := 1)] [c3 (assume true (c := (+ c 1)))] [c4 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (c1 bot) (c2 bot) (c3 bot) (c4 bot) (a4 bot) (a5 bot) (a6 bot) (a7 bot)
  (b4 bot) (b5 bot) (b6 bot) (b7 bot) )
