; check_then_act.ctp with a compare-and-swap: the first thread is recorded as having won it, the second as having lost.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [taken 0] [owners 0])
( ( [a1 (assume (= taken 0) (taken := 1))] [a2 (assume true (owners := (+ owners 1)))] [a3 (assert (= owners 1))] bot )
  ( [b1 (assume (!= taken 0))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) )
