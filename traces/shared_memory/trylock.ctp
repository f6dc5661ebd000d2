; A trylock that was busy in the recorded run. Whoever gets the lock later sees what its owner wrote.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [l 1] [x 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (x := 1)] [a3 (l := (+ l 1))] bot )
  ( [b1 (assume (= l 0))] [b2 (when (> l 0) (l := (- l 1)))] [b3 (assert (= x 1))] [b4 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (b1 bot) (a3 bot) (b2 bot) (b3 bot) (b4 bot) )
