; A barrier made of a counter: everybody counts up and waits for three. What was written in front of it is seen behind it.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [c 0] [x 0] [y 0] [z 0])
( ( [a1 (x := 1)] [a2 (c := (+ c 1))] [a3 (when (>= c 3))] [a4 (assert (= (+ x (+ y z)) 3))] bot )
  ( [b1 (y := 1)] [b2 (c := (+ c 1))] [b3 (when (>= c 3))] [b4 (assert (= (+ x (+ y z)) 3))] bot )
  ( [d1 (z := 1)] [d2 (c := (+ c 1))] [d3 (when (>= c 3))] [d4 (assert (= (+ x (+ y z)) 3))] bot ) )
( (a1 bot) (a2 bot) (b1 bot) (b2 bot) (d1 bot) (d2 bot) (a3 bot) (a4 bot) (b3 bot) (b4 bot) (d3 bot) (d4 bot) )
