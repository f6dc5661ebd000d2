; A receive into a shared variable, and a reader in another thread of the rank: it can look before the message is there.
; expect infinite: failure (well-formed); error entry 1: trace used up
; expect zero: error entry 2 at c2: send not taken; error entry 1: trace used up
; check infinite: violated, data race, 0 switches
; check zero: violated, data race, 0 switches
; complete infinite: violated, 2 switches
; complete zero: violated, 3 switches
(shared [x 0])
( ( [a1 (rcvi R 0 x)] [a2 (wait R)] bot )
  ( [b1 (assert (= x 7))] bot )
  ( [c1 (sndi S 2 0 7)] [c2 (wait S)] bot ) )
( (b1 bot) (c1 bot) (c2 bot) (a1 bot) (a2 ((0 2) bot)) )
( (b1 bot) )
