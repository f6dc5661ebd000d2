; F16 The first trace has no read-after-write pair, so keeping those admits the second, which is not feasible.
; expect infinite: success (well-formed); infeasible (well-formed)
; expect zero: success (well-formed); infeasible (well-formed)
; check infinite: safe, data race
; check zero: safe, data race
; complete infinite: safe
; complete zero: safe
; models infinite 1: ctp safe, mcm safe, hb safe
(shared [x 0])
( ( [c1 (a := x)] [c2 (assume (= a 0))] ) ( [c3 (x := 1)] ) )
( (c1 bot) (c2 bot) (c3 bot) )
( (c3 bot) (c1 bot) (c2 bot) )
