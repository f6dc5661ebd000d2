; Two threads wait for each other in turn, by one condition variable. The signal of b3 is given to thread 0, which is blocked then.
; Thread 1 waits behind it, and must not take it: its own signal is a8. uk is true once signal k is used up.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [l 1] [s 0] [u1 false] [u2 false] [ping 0] [pong 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume (= ping 0))] [a3 (when true (t0 := s) (l := (+ l 1)))]
    [a4 (when (or (and (and (< t0 1) (>= s 1)) (not u1)) (and (and (< t0 2) (>= s 2)) (not u2)))
          (u1 := (or u1 (and (< t0 1) (>= s 1)))) (u2 := (or u2 (and (and (< t0 2) (>= s 2)) (or (>= t0 1) u1)))))]
    [a5 (when (> l 0) (l := (- l 1)))] [a6 (assert (= ping 1))] [a7 (pong := 1)] [a8 (when true (s := (+ s 1)))] [a9 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (ping := 1)] [b3 (when true (s := (+ s 1)))]
    [b4 (assume (= pong 0))] [b5 (when true (t1 := s) (l := (+ l 1)))]
    [b6 (when (or (and (and (< t1 1) (>= s 1)) (not u1)) (and (and (< t1 2) (>= s 2)) (not u2)))
          (u1 := (or u1 (and (< t1 1) (>= s 1)))) (u2 := (or u2 (and (and (< t1 2) (>= s 2)) (or (>= t1 1) u1)))))]
    [b7 (when (> l 0) (l := (- l 1)))] [b8 (assert (= pong 1))] [b9 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (a4 bot) (a5 bot) (a6 bot) (a7 bot) (a8 bot) (a9 bot)
  (b6 bot) (b7 bot) (b8 bot) (b9 bot) )
