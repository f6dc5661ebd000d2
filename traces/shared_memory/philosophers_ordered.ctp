; philosophers.ctp, but the third one takes the forks in the order of their numbers: no deadlock.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [f0 1] [f1 1] [f2 1])
( ( [a1 (when (> f0 0) (f0 := (- f0 1)))] [a2 (when (> f1 0) (f1 := (- f1 1)))] [a3 (f1 := (+ f1 1))] [a4 (f0 := (+ f0 1))] bot )
  ( [b1 (when (> f1 0) (f1 := (- f1 1)))] [b2 (when (> f2 0) (f2 := (- f2 1)))] [b3 (f2 := (+ f2 1))] [b4 (f1 := (+ f1 1))] bot )
  ( [c1 (when (> f0 0) (f0 := (- f0 1)))] [c2 (when (> f2 0) (f2 := (- f2 1)))] [c3 (f2 := (+ f2 1))] [c4 (f0 := (+ f0 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (c1 bot) (c2 bot) (c3 bot) (c4 bot) )
