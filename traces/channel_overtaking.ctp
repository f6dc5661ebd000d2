; Messages of different channels may overtake each other: the first sender's two messages keep their order, the other sender's
; one may come first, between them or last.  Trace 2 is the one the assertion does not allow.
; expect infinite: success (well-formed); failure (well-formed); success (well-formed)
; expect zero: success (well-formed); failure (well-formed); success (well-formed)
; check infinite: violated
; check zero: violated
; matches infinite 1: r1 = t, r2 = s1, r3 = s2
; matches infinite 2: r1 = s1, r2 = t, r3 = s2
; matches infinite 3: r1 = s1, r2 = s2, r3 = t
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (rcvi r3 0 z)] [03 (wait r3)]
    [04 (assert (!= y 7))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot )
  ( [20 (sndi t 2 0 7)] bot ) )

( (00 bot) (01 bot) (02 bot) (10 bot) (11 bot) (20 bot) (03 ((0 2) (0 1) (0 1) bot)) (04 bot) )
( (00 bot) (01 bot) (02 bot) (10 bot) (11 bot) (20 bot) (03 ((0 1) (0 2) (0 1) bot)) (04 bot) )
( (00 bot) (01 bot) (02 bot) (10 bot) (11 bot) (20 bot) (03 ((0 1) (0 1) (0 2) bot)) (04 bot) )
