; Erratum E30: Theorem 4 compares ranges of match lists only.  ML = {} is a subset of {(r1, s1)}; its problem is SAT (r1 free),
; the larger one UNSAT, so ANS(smaller) >= ANS(larger) fails.  It needs equal domains.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (assert (= x 1))] bot )
  ( [10 (sndi s1 1 0 1)] bot ) )

( (10 bot) (00 bot) (01 ((0 1) bot)) (02 bot) )
