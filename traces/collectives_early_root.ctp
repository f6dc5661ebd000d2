; The root of a bcast may go on before the others have called it. So thread 1 can receive the message that thread 0 sends
; after the bcast first (trace 2), although thread 2 sends its own before it. Where the library makes all wait for all,
; as under zero buffering, thread 1 has received that one by then.
; expect infinite: success (well-formed); failure (well-formed)
; expect zero: success (well-formed); error entry 0 at 00: not called
; check infinite: violated
; check zero: safe
; matches infinite 2: Q = S2, R = S0
( ( [00 (collective K0 w bcast (root 0) (type int) (count 1))] [01 (sndi S0 0 1 7)] [02 (wait S0)] bot )
  ( [10 (rcvi R 1 x)] [11 (wait R)] [12 (collective K1 w bcast (root 0) (type int) (count 1))]
    [13 (rcvi Q 1 y)] [14 (wait Q)] [15 (assert (= x 5))] bot )
  ( [20 (sndi S2 2 1 5)] [21 (wait S2)] [22 (collective K2 w bcast (root 0) (type int) (count 1))] bot ) )

( (10 bot) (20 bot) (11 ((1 2) bot)) (21 bot) (22 bot) (00 bot) (12 bot) (01 bot) (13 bot) (14 ((1 0) bot)) (15 bot) (02 bot) )
( (00 bot) (01 bot) (10 bot) (11 ((1 0) bot)) (12 bot) (20 bot) (13 bot) (14 ((1 2) bot)) (15 bot) (02 bot) (21 bot) (22 bot) )
