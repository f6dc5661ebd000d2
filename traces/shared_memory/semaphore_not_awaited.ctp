; A semaphore of one, and a thread that does not wait for it before it goes inside. semaphore.ctp does.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: violated, data race, 1 switch
; check zero: violated, data race, 1 switch
; complete infinite: violated, 2 switches
; complete zero: violated, 2 switches
(shared [s 1] [inside 0])
( ( [a1 (when (> s 0) (s := (- s 1)))] [a2 (assume true (inside := (+ inside 1)))] [a3 (assert (<= inside 1))] [a4 (assume true (inside := (- inside 1)))] [a5 (s := (+ s 1))] bot )
  ( [b1 (assume true (inside := (+ inside 1)))] [b2 (assume true (inside := (- inside 1)))] [b3 (s := (+ s 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (a5 bot) (b1 bot) (b2 bot) (b3 bot) )
