; A semaphore of two: three threads, and never more than two inside.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe, data race
; check zero: safe, data race
; complete infinite: safe
; complete zero: safe
(shared [s 2] [inside 0])
( ( [a1 (when (> s 0) (s := (- s 1)))] [a2 (assume true (inside := (+ inside 1)))] [a3 (assert (<= inside 2))] [a4 (assume true (inside := (- inside 1)))] [a5 (s := (+ s 1))] bot )
  ( [b1 (when (> s 0) (s := (- s 1)))] [b2 (assume true (inside := (+ inside 1)))] [b3 (assert (<= inside 2))] [b4 (assume true (inside := (- inside 1)))] [b5 (s := (+ s 1))] bot )
  ( [c1 (when (> s 0) (s := (- s 1)))] [c2 (assume true (inside := (+ inside 1)))] [c3 (assert (<= inside 2))] [c4 (assume true (inside := (- inside 1)))] [c5 (s := (+ s 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (a5 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (c1 bot) (c2 bot) (c3 bot) (c4 bot) (c5 bot) )
