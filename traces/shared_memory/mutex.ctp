; A mutex l: acquire waits until it is free and takes it in the same step, release gives it back. Nobody sees x while it is 1.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [l 1] [x 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (x := 1)] [a3 (x := 0)] [a4 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (assert (= x 0))] [b3 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (b1 bot) (b2 bot) (b3 bot) )
