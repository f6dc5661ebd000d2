; F9 With <= within a thread, HB(c2, c1) is satisfiable in Phi_PI unless it is replaced by false (footnote 3).
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe, data race
; check zero: safe, data race
; complete infinite: safe
; complete zero: safe
(shared [x 0] [y 0]) (([c1 (x := 1)] [c2 (x := 2)] [c3 (y := 1)]) ([c4 (assume (= y 1))] [c5 (assert (!= x 1))]))
( (c1 bot) (c2 bot) (c3 bot) (c4 bot) (c5 bot) )
