; hybrid_probe_taken.ctp repaired: MPI_Mprobe takes what it sees, so that the other thread sees another message.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
; matches infinite 1: P = S, Q = U
(shared [go 0] [done 0])
( ( [a1 (go := 1)] [a2 (mprobe P 0)] [a3 (start P x)] [a4 (wait P)] [a5 (when (= done 1))] bot )
  ( [b1 (when (= go 1))] [b2 (mprobe Q 0)] [b3 (start Q y)] [b4 (wait Q)] [b5 (done := 1)] bot )
  ( [c1 (sndi S 1 0 4)] [c2 (wait S)] bot )
  ( [d1 (sndi U 2 0 8)] [d2 (wait U)] bot ) )
( (c1 bot) (d1 bot) (a1 bot) (b1 bot) (a2 ((peek 0 1) bot)) (b2 ((peek 0 2) bot)) (b3 bot) (b4 bot) (a3 bot) (a4 bot) (b5 bot)
  (a5 bot) (c2 bot) (d2 bot) )
