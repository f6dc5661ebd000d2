; hybrid_counter.ctp with a fetch-and-add.
; expect infinite: success (well-formed)
; expect zero: error entry 3 at a3: send not taken
; check infinite: safe, data race
; check zero: safe, data race
; complete infinite: safe
; complete zero: safe
(shared [n 1])
( ( [a1 (assume true (a := n) (n := (+ n 1)))] [a2 (sndi A 0 2 a)] [a3 (wait A)] bot )
  ( [b1 (assume true (b := n) (n := (+ n 1)))] [b2 (sndi B 1 2 b)] [b3 (wait B)] bot )
  ( [c1 (rcvi R 2 x)] [c2 (wait R)] [c3 (rcvi S 2 y)] [c4 (wait S)] [c5 (assert (!= x y))] bot ) )
( (c1 bot) (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) (b3 bot) (c2 ((2 0) bot)) (c3 bot) (c4 ((2 1) bot)) (c5 bot) )
