; One synchronous send keeps its thread until thread 1 has posted the receive; the plain one does that with zero buffering only.
; expect infinite: success (well-formed); error entry 1 at 01: send not taken
; expect zero: success (well-formed); error entry 1 at 01: send not taken
; check infinite: safe
; check zero: safe
( ( [00 (ssndi s1 0 1 1)] [01 (wait s1)] [02 (sndi s2 0 1 2)] [03 (wait s2)] bot )
  ( [10 (rcvi r1 1 x)] [11 (rcvi r2 1 y)] [12 (wait r2)] [13 (assert (< x y))] bot ) )

( (00 bot) (10 bot) (01 ((1 0) bot)) (11 bot) (02 bot) (03 ((1 0) bot)) (12 bot) (13 bot) )
( (00 bot) (01 bot) )
