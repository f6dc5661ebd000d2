; F7 Three threads: every failing prefix needs 2 switches, the letter says 1.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated, data race, 2 switches
; check zero: violated, data race, 2 switches
; complete infinite: violated, 2 switches
; complete zero: violated, 2 switches
(shared [x 0] [y 0]) (([c1 (x := 1)]) ([c2 (y := 1)]) ([c3 (assert (not (and (= x 1) (= y 1))))]))
( (c1 bot) (c2 bot) (c3 bot) )
