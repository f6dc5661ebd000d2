; Erratum E14, excludes real runs: Fig. 1 under zero buffering has exactly one match set (a = 4); here it fails.
; Fig. 13's pairs let S4 and S5 both match R5 too, so the second constraint of 5.4 gives order_W(R2) < order_S5 AND
; order_W(R5) < order_S5: nothing is left, UNSAT.  (5.5 adds only the first of the two.)
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated
; check zero: violated
( ( [02 (rcvi R2 0 A)] [03 (wait R2)] [04 (a := A)]
    [05 (rcvi R5 0 B)] [06 (wait R5)] [07 (b := B)] [08 (assume (> b 0))] [09 (assert (!= a 4))] bot )
  ( [13 (rcvi R3 1 C)] [14 (wait R3)] [15 (sndi S5 1 0 1)] [16 (wait S5)] bot )
  ( [24 (sndi S4 2 0 4)] [25 (wait S4)] [26 (sndi S6 2 1 7)] [27 (wait S6)] bot ) )

( (02 bot) (24 bot) (25 ((0 2) bot)) (03 bot) (26 bot) (13 bot) (27 ((1 2) bot)) (14 bot) (04 bot) (05 bot) (15 bot)
  (06 ((0 1) bot)) (16 bot) (07 bot) (08 bot) (09 bot) )
