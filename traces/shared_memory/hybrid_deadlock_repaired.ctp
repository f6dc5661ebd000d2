; As in hybrid_deadlock.ctp, but the thread waits for its message before it takes the lock.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [l 1])
( ( [a1 (rcvi R 0 x)] [a2 (wait R)] [a3 (when (> l 0) (l := (- l 1)))] [a4 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (sndi S 1 2 1)] [b3 (wait S)] [b4 (l := (+ l 1))] bot )
  ( [c1 (rcvi Q 2 y)] [c2 (wait Q)] [c3 (sndi T 3 0 y)] [c4 (wait T)] bot ) )
( (c1 bot) (b1 bot) (b2 bot) (c2 ((2 1) bot)) (b3 bot) (b4 bot) (a1 bot) (c3 bot) (a2 ((0 3) bot)) (c4 bot) (a3 bot) (a4 bot) )
