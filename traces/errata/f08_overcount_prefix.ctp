; F8 The failing prefix c2 has no switch; the letter gives the event that has not happened yet a later time.
; expect infinite: failure (well-formed); error entry 1: trace used up
; expect zero: failure (well-formed); error entry 1: trace used up
; check infinite: violated, data race, 0 switches
; check zero: violated, data race, 0 switches
; complete infinite: violated, 1 switch
; complete zero: violated, 1 switch
(shared [x 0]) (([c1 (x := 1)]) ([c2 (assert (= x 1))]))
( (c2 bot) (c1 bot) )
( (c2 bot) )
