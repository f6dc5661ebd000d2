; F2 g(t_first^i) := true drops the guard of a thread's first event: a false alarm.
; expect infinite: error entry 1: trace used up
; expect zero: error entry 1: trace used up
; check infinite: vacuous
; check zero: vacuous
; complete infinite: vacuous
; complete zero: vacuous
(shared [x 0]) (([c1 (assume (= x 1))] [c2 (assert false)]))
( (c1 bot) )
