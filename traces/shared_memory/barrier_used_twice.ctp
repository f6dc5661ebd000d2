; A barrier of two in two rounds. Its count is never reset, so a thread that comes around before the other one has left does no harm:
; the k-th use waits for 2 * k arrivals.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [c 0] [x 0] [y 0])
( ( [a1 (x := 1)] [a2 (c := (+ c 1))] [a3 (when (>= c 2))] [a4 (assert (= y 1))]
    [a5 (c := (+ c 1))] [a6 (when (>= c 4))] [a7 (x := 2)] bot )
  ( [b1 (y := 1)] [b2 (c := (+ c 1))] [b3 (when (>= c 2))] [b4 (assert (= x 1))]
    [b5 (c := (+ c 1))] [b6 (when (>= c 4))] [b7 (y := 2)] bot ) )
( (a1 bot) (a2 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (a3 bot) (a4 bot) (a5 bot) (a6 bot) (a7 bot) (b6 bot) (b7 bot) )
