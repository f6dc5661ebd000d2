; Figure 1: two messages race for endpoint 0.  In the traces of Figures 2 and 3 the sends run ahead of their receives, so they
; need a buffer; in Figure 3 "1" overtakes "4" (another channel) and the assertion fails.  The third trace is a rendezvous: each
; send is taken before its wait, which is the only match set zero buffering allows.  The payload "Go" is the number 7.
; expect infinite: success (well-formed); failure (well-formed); success (well-formed)
; expect zero: error entry 1 at 25: send not taken; error entry 1 at 25: send not taken; success (well-formed)
; check infinite: violated
; check zero: safe
; store infinite 1: A = 4, B = 1, C = 7, a = 4, b = 1
; store infinite 2: A = 1, B = 4, C = 7, a = 1, b = 4
; store zero 3: A = 4, B = 1, C = 7, a = 4, b = 1
; matches infinite 1: R2 = S4, R5 = S5, R3 = S6
; matches infinite 2: R2 = S5, R5 = S4, R3 = S6
; matches zero 3: R2 = S4, R5 = S5, R3 = S6
( ( [02 (rcvi R2 0 A)] [03 (wait R2)] [04 (a := A)]
    [05 (rcvi R5 0 B)] [06 (wait R5)] [07 (b := B)]
    [08 (assume (> b 0))] [09 (assert (= a 4))] bot )
  ( [13 (rcvi R3 1 C)] [14 (wait R3)]
    [15 (sndi S5 1 0 1)] [16 (wait S5)] bot )
  ( [24 (sndi S4 2 0 4)] [25 (wait S4)]
    [26 (sndi S6 2 1 7)] [27 (wait S6)] bot ) )

( ; Figure 2
  (24 bot) (25 bot)
  (02 bot) (03 ((0 2) bot))
  (26 bot) (27 bot)
  (04 bot)
  (13 bot) (14 ((1 2) bot)) (15 bot) (16 bot)
  (05 bot) (06 ((0 1) bot)) (07 bot) (08 bot) (09 bot) )

( ; Figure 3
  (24 bot) (25 bot) (26 bot) (27 bot)
  (13 bot) (14 ((1 2) bot)) (15 bot) (16 bot)
  (02 bot) (03 ((0 1) bot)) (04 bot)
  (05 bot) (06 ((0 2) bot)) (07 bot) (08 bot) (09 bot) )

( ; the rendezvous
  (02 bot) (24 bot) (25 ((0 2) bot)) (03 bot) (04 bot)
  (13 bot) (26 bot) (27 ((1 2) bot)) (14 bot)
  (05 bot) (15 bot) (16 ((0 1) bot)) (06 bot) (07 bot) (08 bot) (09 bot) )
