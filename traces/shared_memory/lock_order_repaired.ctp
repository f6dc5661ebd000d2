; lock_order.ctp with one order for both threads.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [l 1] [m 1])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (when (> m 0) (m := (- m 1)))] [a3 (m := (+ m 1))] [a4 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (when (> m 0) (m := (- m 1)))] [b3 (m := (+ m 1))] [b4 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) )
