; lost_update.ctp with a fetch-and-add: reading and writing are one step.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe, data race
; check zero: safe, data race
; complete infinite: safe
; complete zero: safe
(shared [x 0] [done 0])
( ( [a1 (assume true (a := x) (x := (+ x 1)))] [a2 (done := (+ done 1))] bot )
  ( [b1 (assume true (b := x) (x := (+ x 1)))] [b2 (done := (+ done 1))] bot )
  ( [c1 (when (= done 2))] [c2 (assert (= x 2))] bot ) )
( (a1 bot) (a2 bot) (b1 bot) (b2 bot) (c1 bot) (c2 bot) )
