; Erratum E25: the constraints of 5.4 are stated over "S and S' can both match R", so a larger pair set ADDS constraints.
; With zero buffering's exact pairs the literal problem is SAT, with Fig. 15's superset UNSAT: Theorem 5 fails.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated
; check zero: violated
( ( [02 (rcvi R2 0 A)] [03 (wait R2)] [04 (a := A)]
    [05 (rcvi R5 0 B)] [06 (wait R5)] [07 (b := B)] [08 (assume (> b 0))] [09 (assert (!= a 4))] bot )
  ( [13 (rcvi R3 1 C)] [14 (wait R3)] [15 (sndi S5 1 0 1)] [16 (wait S5)] bot )
  ( [24 (sndi S4 2 0 4)] [25 (wait S4)] [26 (sndi S6 2 1 7)] [27 (wait S6)] bot ) )

( (02 bot) (13 bot) (24 bot) (03 ((0 2) bot)) (04 bot) (05 bot) (25 bot) (26 bot) (14 ((1 2) bot)) (15 bot) (27 bot)
  (06 ((0 1) bot)) (07 bot) (08 bot) (09 bot) (16 bot) )
