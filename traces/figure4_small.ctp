; Figure 4's reduction for (u0 or u1) and (not u0 or not u1).  h_C asks h_d0 and h_d1 for a value, twice; the later answer is
; the one that stays in u0, then u1.  Trace 1 decides u0 = true, u1 = false: both clauses hold.  Trace 2 decides true, true:
; the second clause fails.  Trace 3 decides as trace 1, but h_C's requests run ahead of the tasks that take them: buffers only.
; expect infinite: success (well-formed); failure (well-formed); success (well-formed)
; expect zero: success (well-formed); failure (well-formed); error entry 1 at C01: send not taken
; check infinite: violated
; check zero: violated
; store infinite 1: g0 = false, g1 = false, u0 = true, u1 = false
; store infinite 2: g0 = false, g1 = false, u0 = true, u1 = true
; store infinite 3: g0 = false, g1 = false, u0 = true, u1 = false
; matches infinite 1: Ra0 = Sq0, Ra1 = Sq2, Rb0 = Sq1, Rb1 = Sq3, Ru0 = Sa0, Rv0 = Sb0, Ru1 = Sb1, Rv1 = Sa1
; matches zero 2: Ra0 = Sq0, Ra1 = Sq2, Rb0 = Sq1, Rb1 = Sq3, Ru0 = Sa0, Rv0 = Sb0, Ru1 = Sa1, Rv1 = Sb1
( ; h_d0, endpoint 0
  ( [A00 (rcvi Ra0 0 g0)] [A01 (wait Ra0)] [A02 (sndi Sa0 0 2 false)] [A03 (wait Sa0)]
    [A10 (rcvi Ra1 0 g0)] [A11 (wait Ra1)] [A12 (sndi Sa1 0 2 false)] [A13 (wait Sa1)] bot )
  ; h_d1, endpoint 1
  ( [B00 (rcvi Rb0 1 g1)] [B01 (wait Rb0)] [B02 (sndi Sb0 1 2 true)] [B03 (wait Sb0)]
    [B10 (rcvi Rb1 1 g1)] [B11 (wait Rb1)] [B12 (sndi Sb1 1 2 true)] [B13 (wait Sb1)] bot )
  ; h_C, endpoint 2
  ( [C00 (sndi Sq0 2 0 false)] [C01 (wait Sq0)] [C02 (sndi Sq1 2 1 false)] [C03 (wait Sq1)]
    [C04 (rcvi Ru0 2 u0)] [C05 (wait Ru0)] [C06 (rcvi Rv0 2 u0)] [C07 (wait Rv0)]
    [C10 (sndi Sq2 2 0 false)] [C11 (wait Sq2)] [C12 (sndi Sq3 2 1 false)] [C13 (wait Sq3)]
    [C14 (rcvi Ru1 2 u1)] [C15 (wait Ru1)] [C16 (rcvi Rv1 2 u1)] [C17 (wait Rv1)]
    [C20 (assert (or u0 u1))]
    [C21 (assert (or (not u0) (not u1)))] bot ) )

( ; u0: false, then true; u1: true, then false
  (A00 bot) (C00 bot) (C01 ((0 2) bot)) (A01 bot)
  (B00 bot) (C02 bot) (C03 ((1 2) bot)) (B01 bot)
  (A02 bot) (B02 bot)
  (C04 bot) (C05 ((2 0) bot)) (A03 bot) (C06 bot) (C07 ((2 1) bot)) (B03 bot)
  (A10 bot) (C10 bot) (C11 ((0 2) bot)) (A11 bot)
  (B10 bot) (C12 bot) (C13 ((1 2) bot)) (B11 bot)
  (A12 bot) (B12 bot)
  (C14 bot) (C15 ((2 1) bot)) (B13 bot) (C16 bot) (C17 ((2 0) bot)) (A13 bot)
  (C20 bot) (C21 bot) )

( ; u0: false, then true; u1: false, then true
  (A00 bot) (C00 bot) (C01 ((0 2) bot)) (A01 bot)
  (B00 bot) (C02 bot) (C03 ((1 2) bot)) (B01 bot)
  (A02 bot) (B02 bot)
  (C04 bot) (C05 ((2 0) bot)) (A03 bot) (C06 bot) (C07 ((2 1) bot)) (B03 bot)
  (A10 bot) (C10 bot) (C11 ((0 2) bot)) (A11 bot)
  (B10 bot) (C12 bot) (C13 ((1 2) bot)) (B11 bot)
  (A12 bot) (B12 bot)
  (C14 bot) (C15 ((2 0) bot)) (A13 bot) (C16 bot) (C17 ((2 1) bot)) (B13 bot)
  (C20 bot) (C21 bot) )

( ; as the first, with every send buffered
  (C00 bot) (C01 bot) (C02 bot) (C03 bot)
  (B00 bot) (B01 ((1 2) bot)) (B02 bot) (B03 bot)
  (A00 bot) (A01 ((0 2) bot)) (A02 bot) (A03 bot)
  (C04 bot) (C05 ((2 0) bot)) (C06 bot) (C07 ((2 1) bot))
  (C10 bot) (C11 bot) (C12 bot) (C13 bot)
  (B10 bot) (B11 ((1 2) bot)) (B12 bot) (B13 bot)
  (A10 bot) (A11 ((0 2) bot)) (A12 bot) (A13 bot)
  (C14 bot) (C15 ((2 1) bot)) (C16 bot) (C17 ((2 0) bot))
  (C20 bot) (C21 bot) )
