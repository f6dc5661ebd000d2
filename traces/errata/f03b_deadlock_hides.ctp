; F3 A thread that blocks for ever at an acquire: its release reads l, so every violation elsewhere is lost.
; expect infinite: error entry 2: trace used up; error entry 3: trace used up
; expect zero: error entry 2: trace used up; error entry 3: trace used up
; check infinite: violated, deadlock, data race, 1 switch
; check zero: violated, deadlock, data race, 1 switch
; complete infinite: vacuous
; complete zero: vacuous
(shared [l 0] [x 0])
( ( [a1 (assert (= x 0))] [a2 (when (> l 0) (l := (- l 1)))] [a3 (l := (+ l 1))] )
  ( [b1 (x := 1)] [b2 (assume (= x 1))] ) )
( (b1 bot) (a1 bot) )
( (a1 bot) (b1 bot) (b2 bot) )
