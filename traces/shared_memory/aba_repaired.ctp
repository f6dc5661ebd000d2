; aba.ctp with a version beside top: the swap fails, as it did in the recorded run.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe, data race
; check zero: safe, data race
; complete infinite: safe
; complete zero: safe
(shared [top 1] [version 0] [next1 2] [in2 true])
( ( [a1 (assume true (t := top) (v := version))] [a2 (n := next1)] [a3 (assume (or (!= top t) (!= version v)))] bot )
  ( [b1 (assume (= top 1) (top := 2) (version := (+ version 1)))] [b2 (assume (= top 2) (top := 0) (in2 := false) (version := (+ version 1)))]
    [b3 (assume true (next1 := top) (top := 1) (version := (+ version 1)))] bot ) )
( (a1 bot) (a2 bot) (b1 bot) (a3 bot) (b2 bot) (b3 bot) )
