; A rank with two threads that number their messages from one counter: reading it and counting up are two steps, so both
; can send the same number.
; expect infinite: failure (well-formed)
; expect zero: error entry 4 at b4: send not taken
; check infinite: violated, data race, 3 switches
; check zero: violated, data race, 3 switches
; complete infinite: violated, 3 switches
; complete zero: violated, 5 switches
(shared [n 1])
( ( [a1 (a := n)] [a2 (n := (+ a 1))] [a3 (sndi A 0 2 a)] [a4 (wait A)] bot )
  ( [b1 (b := n)] [b2 (n := (+ b 1))] [b3 (sndi B 1 2 b)] [b4 (wait B)] bot )
  ( [c1 (rcvi R 2 x)] [c2 (wait R)] [c3 (rcvi S 2 y)] [c4 (wait S)] [c5 (assert (!= x y))] bot ) )
( (a1 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (a2 bot) (a3 bot) (a4 bot) (c1 bot) (c2 ((2 0) bot)) (c3 bot) (c4 ((2 1) bot)) (c5 bot) )
