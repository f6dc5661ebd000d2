; A trylock that was busy in the recorded run, and a thread that goes on without the lock. trylock.ctp waits for it.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: violated, data race, 1 switch
; check zero: violated, data race, 1 switch
; complete infinite: violated, 2 switches
; complete zero: violated, 2 switches
(shared [l 1] [x 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (x := 1)] [a3 (l := (+ l 1))] bot )
  ( [b1 (assume (= l 0))] [b2 (assert (= x 1))] bot ) )
( (a1 bot) (a2 bot) (b1 bot) (b2 bot) (a3 bot) )
