; A library in which gather K1 returns early, and gather K0 waits for all members, deadlocks. Thread 1 sends S1 before the
; root has received anything, so thread 0 receives it first. Then K0 waits for the root, and the root waits until S0 is
; received, which is after K0.  If every collective waits for all, S1 comes after S0; if none does, K0 returns.
; expect infinite: success (well-formed); error entry 6: trace used up
; expect zero: success (well-formed); error entry 1 at 10: not called
; check infinite: safe
; check zero: safe
( ( [00 (rcvi R 0 x)] [01 (wait R)] [02 (collective K0 w gather (root 2))] [03 (rcvi Q 0 y)] [04 (wait Q)] bot )
  ( [10 (collective K1 w gather (root 2))] [11 (sndi S1 1 0 1)] [12 (wait S1)] bot )
  ( [20 (ssndi S0 2 0 2)] [21 (wait S0)] [22 (collective K2 w gather (root 2))] bot ) )

( (00 bot) (20 bot) (01 ((0 2) bot)) (21 bot) (02 bot) (22 bot) (10 bot) (11 bot) (03 bot) (04 ((0 1) bot)) (12 bot) )
( (00 bot) (10 bot) (11 bot) (12 bot) (20 bot) (01 ((0 1) bot)) )
