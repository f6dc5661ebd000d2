; Three dining philosophers: each takes the fork on the left, then the one on the right. All can hold one fork and wait.
; expect infinite: success (well-formed); error entry 3: trace used up
; expect zero: success (well-formed); error entry 3: trace used up
; check infinite: safe, deadlock
; check zero: safe, deadlock
; complete infinite: safe
; complete zero: safe
(shared [f0 1] [f1 1] [f2 1])
( ( [a1 (when (> f0 0) (f0 := (- f0 1)))] [a2 (when (> f1 0) (f1 := (- f1 1)))] [a3 (f1 := (+ f1 1))] [a4 (f0 := (+ f0 1))] bot )
  ( [b1 (when (> f1 0) (f1 := (- f1 1)))] [b2 (when (> f2 0) (f2 := (- f2 1)))] [b3 (f2 := (+ f2 1))] [b4 (f1 := (+ f1 1))] bot )
  ( [c1 (when (> f2 0) (f2 := (- f2 1)))] [c2 (when (> f0 0) (f0 := (- f0 1)))] [c3 (f0 := (+ f0 1))] [c4 (f2 := (+ f2 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (c1 bot) (c2 bot) (c3 bot) (c4 bot) )
( (a1 bot) (b1 bot) (c1 bot) )
