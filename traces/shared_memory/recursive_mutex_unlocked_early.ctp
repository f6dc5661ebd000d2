; recursive_mutex.ctp, but the first unlock gives the lock away although thread 0 has it twice.
; expect infinite: failure (well-formed); error entry 6: trace used up
; expect zero: failure (well-formed); error entry 6: trace used up
; check infinite: violated, data race, 1 switch
; check zero: violated, data race, 1 switch
; complete infinite: violated, 2 switches
; complete zero: violated, 2 switches
(shared [o -1] [c 0] [x 0])
( ( [a1 (when (or (= o -1) (= o 0)) (o := 0) (c := (+ c 1)))] [a2 (x := 1)]
    [a3 (when (or (= o -1) (= o 0)) (o := 0) (c := (+ c 1)))]
    [a4 (assume (= o 0) (c := 0) (o := -1))] [a5 (x := 0)] bot )
  ( [b1 (when (or (= o -1) (= o 1)) (o := 1) (c := (+ c 1)))] [b2 (assert (= x 0))]
    [b3 (assume (= o 1) (c := (- c 1)) (o := -1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (b1 bot) (b2 bot) (b3 bot) (a5 bot) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (b1 bot) (b2 bot) )
