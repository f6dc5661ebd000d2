; F19 Phi_VD has a = 1 div 0, which SMT-LIB makes total: a false alarm (E31 of the other paper).
; expect infinite: error entry 0 at c1: division by zero
; expect zero: error entry 0 at c1: division by zero
; check infinite: vacuous, fault
; check zero: vacuous, fault
; complete infinite: vacuous
; complete zero: vacuous
(shared [x 0]) (([c1 (a := (div 1 x))] [c2 (assert (= a 0))]))
( (c1 bot) )
