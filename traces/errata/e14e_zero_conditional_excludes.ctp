; Erratum E14, the kinder reading (wait(R) < S' only if R is matched with S) still excludes a real run when one wait completes two
; receives: r1 gets s1, so wait(r2) < s2, but r2 needs s2 < wait(r2).
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert false)] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 2 0 2)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot) (02 ((0 1) (0 2) bot)) (03 bot) )
