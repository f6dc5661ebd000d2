; x is atomic, so there is no data race. A read and a write are still two steps: an update can be lost.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated, 3 switches
; check zero: violated, 3 switches
; complete infinite: violated, 3 switches
; complete zero: violated, 3 switches
(shared atomic [x 0] [done 0])
( ( [a1 (a := x)] [a2 (x := (+ a 1))] [a3 (done := (+ done 1))] bot )
  ( [b1 (b := x)] [b2 (x := (+ b 1))] [b3 (done := (+ done 1))] bot )
  ( [c1 (when (= done 2))] [c2 (assert (= x 2))] bot ) )
( (a1 bot) (b1 bot) (b2 bot) (b3 bot) (a2 bot) (a3 bot) (c1 bot) (c2 bot) )
