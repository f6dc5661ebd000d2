; Erratum E14, admits unreal runs: both threads send first and wait for the send; with no buffer none can go on.
; 5.4 has no constraint for it (no two sends can match one receive): SAT.
; expect infinite: failure (well-formed)
; expect zero: error entry 1 at 01: send not taken
; check infinite: violated
; check zero: vacuous, deadlock
( ( [00 (sndi s1 0 1 1)] [01 (wait s1)] [02 (rcvi r1 0 x)] [03 (wait r1)] [04 (assert false)] bot )
  ( [10 (sndi s2 1 0 2)] [11 (wait s2)] [12 (rcvi r2 1 y)] [13 (wait r2)] bot ) )

( (00 bot) (01 bot) (02 bot) (10 bot) (11 bot) (12 bot) (03 ((0 1) bot)) (04 bot) (13 ((1 0) bot)) )
