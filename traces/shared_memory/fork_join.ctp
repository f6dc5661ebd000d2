; Fork and join: the child begins when the parent has written, and the parent goes on when the child is done.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [go 0] [done 0] [x 0] [y 0])
( ( [a1 (x := 1)] [a2 (go := 1)] [a3 (when (= done 1))] [a4 (assert (= y 2))] bot )
  ( [b1 (when (= go 1))] [b2 (y := (+ x 1))] [b3 (done := 1)] bot ) )
( (a1 bot) (a2 bot) (b1 bot) (b2 bot) (b3 bot) (a3 bot) (a4 bot) )
