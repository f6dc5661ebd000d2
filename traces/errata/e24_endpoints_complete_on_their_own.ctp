; Erratum E24: Definition 6 lets a wait complete all earlier receives of its task.  By its letter wait(r2) would also need r1's
; message, which is only sent in answer to k, after that wait; here a wait looks at its own endpoint and the program runs.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2, z = 0
; matches infinite 1: r1 = s1, r2 = s2, q = k
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 1 y)] [02 (wait r2)] [03 (sndi k 0 2 0)] [04 (wait r1)] bot )
  ( [10 (rcvi q 2 z)] [11 (wait q)] [12 (sndi s1 2 0 1)] bot )
  ( [20 (sndi s2 3 1 2)] bot ) )

( (00 bot) (01 bot) (20 bot) (02 ((1 3) bot)) (03 bot)
  (10 bot) (11 ((2 0) bot)) (12 bot) (04 ((0 2) bot)) )
