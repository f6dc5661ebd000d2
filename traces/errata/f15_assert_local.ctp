; F15 An assertion about a local: in CM_rho the definition of a is gone.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: violated, data race, 1 switch
; check zero: violated, data race, 1 switch
; complete infinite: violated, 1 switch
; complete zero: violated, 1 switch
; models infinite 1: ctp violated, mcm safe, hb safe
(shared [x 0])
( ( [c1 (a := x)] [c2 (assert (= a 0))] ) ( [c3 (x := 1)] ) )
( (c1 bot) (c2 bot) (c3 bot) )
