; cond_timedwait of two threads for one item. Recorded was a run in which thread 0 was woken, and the time of thread 1 passed: it
; looks at the condition again, and does without. It may have used up the signal all the same, so thread 0 may not be woken; its
; time passes then, too, which is no deadlock: that leaves the recorded path.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [l 1] [s 0] [u1 false] [items 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume (= items 0))] [a3 (when true (t0 := s) (l := (+ l 1)))]
    [a4 (when true (w := (and (and (< t0 1) (>= s 1)) (not u1))) (u1 := (or u1 (and (< t0 1) (>= s 1)))))] [a4w (assume w)]
    [a5 (when (> l 0) (l := (- l 1)))] [a6 (assume (> items 0) (items := (- items 1)))] [a7 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (assume (= items 0))] [b3 (when true (t1 := s) (l := (+ l 1)))]
    [b4 (when true (u1 := (or u1 (and (< t1 1) (>= s 1)))))]
    [b5 (when (> l 0) (l := (- l 1)))] [b6 (assume (= items 0))] [b7 (l := (+ l 1))] bot )
  ( [c1 (when (> l 0) (l := (- l 1)))] [c2 (items := 1)] [c3 (when true (s := (+ s 1)))] [c4 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (b6 bot) (b7 bot) (c1 bot) (c2 bot) (c3 bot) (c4 bot)
  (a4 bot) (a4w bot) (a5 bot) (a6 bot) (a7 bot) )
