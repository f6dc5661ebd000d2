; F2 The common case: both threads begin with acquire.  Mutual exclusion is lost.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [l 1] [x 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (x := 1)] [a3 (x := 0)] [a4 (l := (+ l 1))] )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (assert (= x 0))] [b3 (l := (+ l 1))] ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (b1 bot) (b2 bot) (b3 bot) )
