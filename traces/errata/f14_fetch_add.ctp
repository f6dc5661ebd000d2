; F14 A primitive that stays symbolic and returns a value (fetch-and-add).
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe, data race
; check zero: safe, data race
; complete infinite: safe
; complete zero: safe
; models infinite 1: ctp safe, mcm safe, hb safe
(shared [n 0] [x 5])
( ( [c1 (when (>= n 0) (t := n) (n := (+ n 1)))] [c2 (x := t)] )
  ( [c3 (when (>= n 0) (u := n) (n := (+ n 1)))] [c4 (assert (or (!= x 0) (= u 1)))] ) )
( (c1 bot) (c2 bot) (c3 bot) (c4 bot) )
