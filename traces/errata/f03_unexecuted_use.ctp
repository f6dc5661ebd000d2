; F3 c3 is never executed, yet Phi_PI demands a definition for its use of x: its own thread's, which is never executed.
; expect infinite: error entry 1: trace used up
; expect zero: error entry 1: trace used up
; check infinite: violated, 0 switches
; check zero: violated, 0 switches
; complete infinite: vacuous
; complete zero: vacuous
(shared [x 0] [y 0]) (([c1 (assert false)] [c2 (assume false (x := 1))] [c3 (y := x)]))
( (c1 bot) )
