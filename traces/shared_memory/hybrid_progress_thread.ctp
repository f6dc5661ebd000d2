; A progress thread waits for the message and says so: the reader waits for that.
; expect infinite: success (well-formed)
; expect zero: error entry 2 at c2: send not taken
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [x 0] [arrived 0])
( ( [a1 (rcvi R 0 x)] [a2 (wait R)] [a3 (arrived := 1)] bot )
  ( [b1 (when (= arrived 1))] [b2 (assert (= x 7))] bot )
  ( [c1 (sndi S 2 0 7)] [c2 (wait S)] bot ) )
( (a1 bot) (c1 bot) (c2 bot) (a2 ((0 2) bot)) (a3 bot) (b1 bot) (b2 bot) )
