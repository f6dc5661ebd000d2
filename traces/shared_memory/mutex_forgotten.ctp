; The reader of mutex.ctp forgets the lock: it can see x in the middle of the update.
; expect infinite: failure (well-formed); error entry 3: trace used up
; expect zero: failure (well-formed); error entry 3: trace used up
; check infinite: violated, data race, 1 switch
; check zero: violated, data race, 1 switch
; complete infinite: violated, 2 switches
; complete zero: violated, 2 switches
(shared [l 1] [x 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (x := 1)] [a3 (x := 0)] [a4 (l := (+ l 1))] bot )
  ( [b1 (assert (= x 0))] bot ) )
( (a1 bot) (a2 bot) (b1 bot) (a3 bot) (a4 bot) )
( (a1 bot) (a2 bot) (b1 bot) )
