; Erratum E13: Fig. 1.  If Step 4 is read for any two sends to one endpoint, conditional on order_S < order_S', then with Fig. 9's
; program order 24 < 26 < wait(13) < 15 forces S4 to be received before S5: the run of Fig. 3 is lost (UNSAT).
; expect infinite: failure (well-formed)
; expect zero: error entry 1 at 25: send not taken
; check infinite: violated
; check zero: safe
( ( [02 (rcvi R2 0 A)] [03 (wait R2)] [04 (a := A)]
    [05 (rcvi R5 0 B)] [06 (wait R5)] [07 (b := B)] [08 (assume (> b 0))] [09 (assert (= a 4))] bot )
  ( [13 (rcvi R3 1 C)] [14 (wait R3)] [15 (sndi S5 1 0 1)] [16 (wait S5)] bot )
  ( [24 (sndi S4 2 0 4)] [25 (wait S4)] [26 (sndi S6 2 1 7)] [27 (wait S6)] bot ) )

( (24 bot) (25 bot) (26 bot) (27 bot) (13 bot) (14 ((1 2) bot)) (15 bot) (16 bot) (02 bot) (03 ((0 1) bot)) (04 bot)
  (05 bot) (06 ((0 2) bot)) (07 bot) (08 bot) (09 bot) )
