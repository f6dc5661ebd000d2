; Two threads of a rank receive at its endpoint: who posts first gets the first message.
; expect infinite: success (well-formed); failure (well-formed)
; expect zero: success (well-formed); failure (well-formed)
; check infinite: violated, 3 switches
; check zero: violated, 3 switches
; complete infinite: violated, 3 switches
; complete zero: violated, 5 switches
; matches infinite 2: R = T, Q = S
(shared [go 0] [done 0])
( ( [a1 (go := 1)] [a2 (rcvi R 0 x)] [a3 (wait R)] [a4 (assert (= x 1))] [a5 (when (= done 1))] bot )
  ( [b1 (when (= go 1))] [b2 (rcvi Q 0 y)] [b3 (wait Q)] [b4 (done := 1)] bot )
  ( [c1 (sndi S 1 0 1)] [c2 (wait S)] [c3 (sndi T 1 0 2)] [c4 (wait T)] bot ) )
( (a1 bot) (a2 bot) (c1 bot) (a3 ((0 1) bot)) (a4 bot) (b1 bot) (b2 bot) (c2 bot) (c3 bot) (b3 ((0 1) bot)) (b4 bot) (a5 bot)
  (c4 bot) )
( (a1 bot) (b1 bot) (b2 bot) (c1 bot) (b3 ((0 1) bot)) (c2 bot) (c3 bot) (a2 bot) (a3 ((0 1) bot)) (a4 bot) (b4 bot) (a5 bot)
  (c4 bot) )
