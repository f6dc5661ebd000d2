; F6 c1 raises an error, so c3 is never attempted (Section 3.2); the formula of c3 is satisfiable.
; expect infinite: failure (well-formed); error entry 1: trace used up
; expect zero: failure (well-formed); error entry 1: trace used up
; check infinite: violated, 0 switches
; check zero: violated, 0 switches
; complete infinite: violated, 0 switches
; complete zero: violated, 0 switches
(shared [x 0]) (([c1 (assert (= x 1))] [c2 (x := 2)] [c3 (assert (= x 1))]))
( (c1 bot) (c2 bot) (c3 bot) )
( (c1 bot) )
