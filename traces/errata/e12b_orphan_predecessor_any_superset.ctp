; Erratum E12, smallest, with a pair set that is a superset of the exact one (all pairs of equal endpoint; Fig. 15 drops (r1, s2)):
; Theorem 5 says a superset does no harm; Step 4 leaves M_s1 free and r1 gets s2.
; expect infinite: success (not well-formed)
; expect zero: success (not well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (assert (= x 1))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot ) )

( (00 bot) (10 bot) (11 bot) (01 ((0 1) bot)) (02 bot) )
