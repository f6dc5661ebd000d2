; F7 Two threads that do not interfere share a time: bound 0 admits a run with one switch.
; expect infinite: failure (well-formed); error entry 2: trace used up
; expect zero: failure (well-formed); error entry 2: trace used up
; check infinite: violated, 0 switches
; check zero: violated, 0 switches
; complete infinite: violated, 1 switch
; complete zero: violated, 1 switch
(shared [x 0] [y 0]) (([c1 (x := 1)] [c2 (assert (= x 0))]) ([c3 (y := 1)]))
( (c1 bot) (c2 bot) (c3 bot) )
( (c1 bot) (c2 bot) )
