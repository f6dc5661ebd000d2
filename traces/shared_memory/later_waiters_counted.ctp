; later_waiters.ctp, with a common count: s signals were given, and u were taken. A wait goes on if a signal came after it began,
; and not all are taken. So threads 2 and 3 take both, and thread 0 waits forever. POSIX excludes that: the deadlock is the pattern's.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe, deadlock
; check zero: safe, deadlock
; complete infinite: safe
; complete zero: safe
(shared [l 1] atomic [s 0] atomic [u 0] [step 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (step := 1)] [a3 (assume true (t0 := s) (l := (+ l 1)))]
    [a4 (when (and (> s t0) (> s u)) (u := (+ u 1)))] [a5 (when (> l 0) (l := (- l 1)))]
    [a6 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (assume (= step 1))] [b3 (assume true (s := (+ s 1)))] [b4 (step := 2)] [b5 (l := (+ l 1))]
    [b6 (when (> l 0) (l := (- l 1)))] [b7 (assume (= step 4))] [b8 (assume true (s := (+ s 1)))] [b9 (l := (+ l 1))] bot )
  ( [c1 (when (> l 0) (l := (- l 1)))] [c2 (assume (>= step 2) (step := (+ step 1)))] [c3 (assume true (t2 := s) (l := (+ l 1)))]
    [c4 (assume (and (> s t2) (> s u)) (u := (+ u 1)))] [c5 (when (> l 0) (l := (- l 1)))]
    [c6 (l := (+ l 1))] bot )
  ( [d1 (when (> l 0) (l := (- l 1)))] [d2 (assume (>= step 2) (step := (+ step 1)))] [d3 (assume true (t3 := s) (l := (+ l 1)))]
    [d4 (assume true (u := (ite (and (> s t3) (> s u)) (+ u 1) u)))] [d5 (when (> l 0) (l := (- l 1)))]
    [d6 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (c1 bot) (c2 bot) (c3 bot) (d1 bot) (d2 bot) (d3 bot)
  (b6 bot) (b7 bot) (b8 bot) (b9 bot) (a4 bot) (a5 bot) (a6 bot) (c4 bot) (c5 bot) (c6 bot) (d4 bot) (d5 bot) (d6 bot) )
