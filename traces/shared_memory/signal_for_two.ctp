; broadcast.ctp with cond_signal: it unblocks one of the two, and the other one waits forever. Recorded was a run in which the
; program hung.
; expect infinite: error entry 14: trace used up
; expect zero: error entry 14: trace used up
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
; complete infinite: vacuous
; complete zero: vacuous
(shared [l 1] [s 0] [u1 false] [open 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume (= open 0))] [a3 (when true (t0 := s) (l := (+ l 1)))]
    [a4 (when (and (and (< t0 1) (>= s 1)) (not u1)) (u1 := true))]
    [a5 (when (> l 0) (l := (- l 1)))] [a6 (assert (= open 1))] [a7 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (assume (= open 0))] [b3 (when true (t1 := s) (l := (+ l 1)))]
    [b4 (when (and (and (< t1 1) (>= s 1)) (not u1)) (u1 := true))]
    [b5 (when (> l 0) (l := (- l 1)))] [b6 (assert (= open 1))] [b7 (l := (+ l 1))] bot )
  ( [c1 (when (> l 0) (l := (- l 1)))] [c2 (open := 1)] [c3 (when true (s := (+ s 1)))] [c4 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (c1 bot) (c2 bot) (c3 bot) (c4 bot) (a4 bot) (a5 bot) (a6 bot) (a7 bot) )
