; barrier_of_three.ctp, but thread 2 counts before it writes.
; expect infinite: failure (well-formed); error entry 7: trace used up
; expect zero: failure (well-formed); error entry 7: trace used up
; check infinite: violated, data race, 2 switches
; check zero: violated, data race, 2 switches
; complete infinite: violated, 4 switches
; complete zero: violated, 4 switches
(shared [c 0] [x 0] [y 0] [z 0])
( ( [a1 (x := 1)] [a2 (c := (+ c 1))] [a3 (when (>= c 3))] [a4 (assert (= (+ x (+ y z)) 3))] bot )
  ( [b1 (y := 1)] [b2 (c := (+ c 1))] [b3 (when (>= c 3))] [b4 (assert (= (+ x (+ y z)) 3))] bot )
  ( [d1 (c := (+ c 1))] [d2 (z := 1)] [d3 (when (>= c 3))] bot ) )
( (a1 bot) (a2 bot) (d1 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (a3 bot) (a4 bot) (d2 bot) (d3 bot) )
( (a1 bot) (a2 bot) (d1 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) )
