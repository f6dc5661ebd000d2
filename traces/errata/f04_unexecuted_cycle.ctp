; F4 As F3 without a definition in the same thread: unexecuted definitions must come after unexecuted uses, a cycle.
; expect infinite: error entry 1: trace used up
; expect zero: error entry 1: trace used up
; check infinite: violated, 0 switches
; check zero: violated, 0 switches
; complete infinite: vacuous
; complete zero: vacuous
(shared [x 0] [y 0])
( ( [a1 (assume false (x := 1))] [a2 (a := y)] ) ( [b1 (assume false (y := 1))] [b2 (b := x)] ) ( [c1 (assert false)] ) )
( (c1 bot) )
