; F21 The square of 65536 is 0 as a vector of 32 bits: a false alarm.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [x 65536]) (([c1 (a := (* x x))] [c2 (assert (> a 0))]))
( (c1 bot) (c2 bot) )
