; ping_pong.ctp, with signals that are only counted: thread 1 takes the one that it has given itself, while it held the mutex, to
; thread 0, which then waits forever. POSIX excludes that: the deadlock and the failure are the pattern's, not the program's.
; expect infinite: success (well-formed); error entry 12: trace used up
; expect zero: success (well-formed); error entry 12: trace used up
; check infinite: violated, deadlock, 0 switches
; check zero: violated, deadlock, 0 switches
; complete infinite: safe
; complete zero: safe
(shared [l 1] [s 0] [ping 0] [pong 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume (= ping 0))] [a3 (assume true (l := (+ l 1)))] [a4 (when (> s 0) (s := (- s 1)))]
    [a5 (when (> l 0) (l := (- l 1)))] [a6 (assert (= ping 1))] [a7 (pong := 1)] [a8 (s := (+ s 1))] [a9 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (ping := 1)] [b3 (s := (+ s 1))]
    [b4 (assume (= pong 0))] [b5 (assume true (l := (+ l 1)))] [b6 (when (> s 0) (s := (- s 1)))]
    [b7 (when (> l 0) (l := (- l 1)))] [b8 (assert (= pong 1))] [b9 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (a4 bot) (a5 bot) (a6 bot) (a7 bot) (a8 bot) (a9 bot)
  (b6 bot) (b7 bot) (b8 bot) (b9 bot) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (b6 bot) (b7 bot) (b8 bot) (b9 bot) )
