; Erratum E1: r1 is first in line among the pending receives, so the first message delivered is its own and wait(r1) goes on.
; The paper's letter would put r2 in front: r1 would want a second message, which is only sent afterwards, and be stuck at 02.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2
; matches infinite 1: r1 = s1, r2 = s2
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r1)] [03 (wait r2)] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot ) )

( (00 bot) (01 bot) (10 bot) (02 ((0 1) bot)) (11 bot) (03 ((0 1) bot)) )
