; Erratum E14, the second kind of constraint in 5.4 excludes a real run, too: S0 stays unreceived (nobody waits for it), R0 gets S2.
; S2 depends on R1's match with S1, which stands behind S0: wait(R0) < S2; the match: S2 < wait(R0).
; expect infinite: failure (not well-formed)
; expect zero: failure (not well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (rcvi R0 0 x)] [01 (wait R0)] [02 (assert (= x 1))] bot )
  ( [10 (sndi S0 1 0 1)] [11 (sndi S1 1 2 0)] bot )
  ( [20 (rcvi R1 2 y)] [21 (wait R1)] [22 (sndi S2 2 0 0)] bot ) )

( (00 bot) (10 bot) (20 bot) (11 bot) (21 ((2 1) bot)) (22 bot) (01 ((0 2) bot)) (02 bot) )
