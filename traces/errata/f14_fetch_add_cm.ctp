; F14 CM_rho of F14_fetch_add, to the letter of Figure 6: c2 writes the value it wrote in rho.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: violated, data race, 2 switches
; check zero: violated, data race, 2 switches
; complete infinite: violated, 2 switches
; complete zero: violated, 2 switches
; models infinite 1: ctp violated, mcm safe, hb safe
(shared [n 0] [x 5])
( ( [c1 (when (>= n 0) (t := n) (n := (+ n 1)))] [c2 (x := 0)] )
  ( [c3 (when (>= n 0) (u := n) (n := (+ n 1)))] [c4 (assert (or (!= x 0) (= u 1)))] ) )
( (c1 bot) (c2 bot) (c3 bot) (c4 bot) )
