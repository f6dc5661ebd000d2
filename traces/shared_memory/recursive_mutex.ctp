; A recursive mutex: o is its owner, -1 for nobody, and c how often the owner has it. Thread 0 takes it twice.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [o -1] [c 0] [x 0])
( ( [a1 (when (or (= o -1) (= o 0)) (o := 0) (c := (+ c 1)))] [a2 (x := 1)]
    [a3 (when (or (= o -1) (= o 0)) (o := 0) (c := (+ c 1)))] [a4 (x := 0)]
    [a5 (assume (and (= o 0) (> c 1)) (c := (- c 1)))] [a6 (assume (= o 0) (c := (- c 1)) (o := -1))] bot )
  ( [b1 (when (or (= o -1) (= o 1)) (o := 1) (c := (+ c 1)))] [b2 (assert (= x 0))]
    [b3 (assume (= o 1) (c := (- c 1)) (o := -1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (a5 bot) (a6 bot) (b1 bot) (b2 bot) (b3 bot) )
