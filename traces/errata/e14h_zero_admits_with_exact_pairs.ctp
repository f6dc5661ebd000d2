; Erratum E14, admits an unreal run even with zero buffering's exact pairs: s0 is waited for, so one receive must get it; 5.4 ignores
; waits on sends and lets r1, r2 get s1 and s2.  No complete run fails.  The execution with s1 and s2 fails, and then thread 2 hangs.
; expect infinite: success (not well-formed)
; expect zero: error entry 4 at 21: send not taken
; check infinite: violated
; check zero: violated, deadlock
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (or (= x 7) (= y 7)))] bot )
  ( [10 (sndi s1 1 0 1)] bot )
  ( [20 (sndi s0 2 0 7)] [21 (wait s0)] bot )
  ( [30 (sndi s2 3 0 2)] bot ) )

( (00 bot) (01 bot) (10 bot) (20 bot) (21 bot) (30 bot) (02 ((0 1) (0 2) bot)) (03 bot) )
