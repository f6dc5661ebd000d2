; F13 CM_rho lets c3 read 0 instead of 1 and go on; the maximal causal model does not know what follows then.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: violated, data race, 1 switch
; check zero: violated, data race, 1 switch
; complete infinite: violated, 1 switch
; complete zero: violated, 1 switch
; models infinite 1: ctp violated, mcm violated, hb safe
(shared [x 0] [y 0])
( ( [c1 (assert (= x 0))] [c2 (y := 1)] ) ( [c3 (assert (>= y 0))] [c4 (x := 1)] ) )
( (c1 bot) (c2 bot) (c3 bot) (c4 bot) )
