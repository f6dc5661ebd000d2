; Erratum E1: entries are put at the back and taken from the front, so r1 gets s1, the message sent first.  The paper's letter
; (new in front, taken from the front) would give r1 the newest message: x = 2, a failure.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2
; matches infinite 1: r1 = s1, r2 = s2
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (rcvi r2 0 y)] [03 (wait r2)] [04 (assert (= x 1))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot ) )

( (10 bot) (11 bot) (00 bot) (01 ((0 1) bot)) (02 bot) (03 ((0 1) bot)) (04 bot) )
