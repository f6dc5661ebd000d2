; fork_join.ctp without the join: the parent can look before the child has written.
; expect infinite: failure (well-formed); error entry 3: trace used up
; expect zero: failure (well-formed); error entry 3: trace used up
; check infinite: violated, data race, 0 switches
; check zero: violated, data race, 0 switches
; complete infinite: violated, 1 switch
; complete zero: violated, 1 switch
(shared [go 0] [x 0] [y 0])
( ( [a1 (x := 1)] [a2 (go := 1)] [a3 (assert (= y 2))] bot )
  ( [b1 (when (= go 1))] [b2 (y := (+ x 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (b2 bot) )
( (a1 bot) (a2 bot) (a3 bot) )
