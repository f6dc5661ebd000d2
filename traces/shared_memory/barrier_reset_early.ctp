; A barrier of two that a program makes itself: the last one to come sets the count to 0, and the other one waits until it is 0. If the
; last one comes around first, it makes the count 1 again, and both wait forever.
; expect infinite: success (well-formed); error entry 6: trace used up
; expect zero: success (well-formed); error entry 6: trace used up
; check infinite: safe, deadlock
; check zero: safe, deadlock
; complete infinite: safe
; complete zero: safe
(shared [c 0] [x 0] [y 0])
( ( [a1 (x := 1)] [a2 (assume (= c 0) (c := 1))] [a3 (when (= c 0))] [a4 (assert (= y 1))]
    [a5 (assume (= c 1) (c := 0))] [a6 (x := 2)] bot )
  ( [b1 (y := 1)] [b2 (assume (= c 1) (c := 0))] [b3 (assert (= x 1))]
    [b4 (assume (= c 0) (c := 1))] [b5 (when (= c 0))] [b6 (y := 2)] bot ) )
( (a1 bot) (a2 bot) (b1 bot) (b2 bot) (b3 bot) (a3 bot) (a4 bot) (b4 bot) (a5 bot) (a6 bot) (b5 bot) (b6 bot) )
( (a1 bot) (a2 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) )
