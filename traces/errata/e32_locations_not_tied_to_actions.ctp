; Erratum E32: Fig. 9 orders locations (rho0 < rho1), Fig. 10's MATCH speaks of order_R, order_S and nw_R of actions; nothing makes an
; action's order that of its location.  Then order_r1 = order_r2 is allowed and both receive s1: COMB of the two traces is SAT.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (!= x y))] bot )
  ( [10 (sndi s1 1 0 1)] bot )
  ( [20 (sndi s2 2 0 2)] bot ) )

( (00 bot) (01 bot) (10 bot) (20 bot) (02 ((0 1) (0 2) bot)) (03 bot) )
( (00 bot) (01 bot) (10 bot) (20 bot) (02 ((0 2) (0 1) bot)) (03 bot) )
