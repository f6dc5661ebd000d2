; Erratum E14, excludes a real run, smallest: s1 stays unreceived (nobody waits for it), r1 gets s2.
; 5.4: wait(r1) < s2, the match: s2 < wait(r1).
; expect infinite: failure (not well-formed)
; expect zero: failure (not well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (assert (= x 1))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 2 0 2)] bot ) )

( (00 bot) (10 bot) (11 bot) (01 ((0 2) bot)) (02 bot) )
