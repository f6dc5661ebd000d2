; The race decides the status: x = 1 does not take the assumed branch (infeasible), x = 2 fails the assertion, x = 3 is fine.
; All three messages are received, so every run is well-formed, the infeasible one too.
; expect infinite: infeasible (well-formed); failure (well-formed); success (well-formed)
; expect zero: infeasible (well-formed); failure (well-formed); success (well-formed)
; check infinite: violated
; check zero: violated
; matches infinite 3: r1 = c, r2 = a, r3 = b
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (rcvi r3 0 z)] [03 (wait r3)]
    [04 (assume (!= x 1))] [05 (assert (!= x 2))] bot )
  ( [10 (sndi a 1 0 1)] bot )
  ( [20 (sndi b 2 0 2)] bot )
  ( [30 (sndi c 3 0 3)] bot ) )

( (00 bot) (01 bot) (02 bot) (10 bot) (20 bot) (30 bot) (03 ((0 1) (0 2) (0 3) bot)) (04 bot) (05 bot) )
( (00 bot) (01 bot) (02 bot) (10 bot) (20 bot) (30 bot) (03 ((0 2) (0 1) (0 3) bot)) (04 bot) (05 bot) )
( (00 bot) (01 bot) (02 bot) (10 bot) (20 bot) (30 bot) (03 ((0 3) (0 1) (0 2) bot)) (04 bot) (05 bot) )
