; F5 'The event with action assert(c)': there are two.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated, 0 switches
; check zero: violated, 0 switches
; complete infinite: violated, 0 switches
; complete zero: violated, 0 switches
(shared [x 0]) (([c1 (assert (= x 0))] [c2 (assert (= x 1))]))
( (c1 bot) (c2 bot) )
