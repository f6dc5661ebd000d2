; F7 k writers: truth k, letter 1: the gap is unbounded.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated, data race, 6 switches
; check zero: violated, data race, 6 switches
; complete infinite: violated, 6 switches
; complete zero: violated, 6 switches
(shared [x0 0] [x1 0] [x2 0] [x3 0] [x4 0] [x5 0]) (([c0 (x0 := 1)]) ([c1 (x1 := 1)]) ([c2 (x2 := 1)]) ([c3 (x3 := 1)]) ([c4 (x4 := 1)]) ([c5 (x5 := 1)]) ([z (assert (< (+ x0 (+ x1 (+ x2 (+ x3 (+ x4 x5))))) 6))]))
( (c0 bot) (c1 bot) (c2 bot) (c3 bot) (c4 bot) (c5 bot) (z bot) )
