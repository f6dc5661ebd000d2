; Erratum E15: wait(r2) completes r1, and nobody waits for r1 itself; r1 and its marked message stay behind.  By the letter of
; Definition 2, which wants everything empty, this run would not be well-formed; here a marked leftover counts as matched.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2
; matches infinite 1: r1 = s1, r2 = s2
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (= x 1))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot) (02 ((0 1) (0 1) bot)) (03 bot) )
