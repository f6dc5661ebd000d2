; Erratum E14, excludes real runs even with the exact pairs and with every call blocking: s1 and s2 (one channel) can both match r2
; (s1 when t1 goes first), so 5.4 wants wait(r2) < s2 in EVERY run; r2 gets s2 needs s2 < wait(r2).
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (rcvi r2 0 y)] [03 (wait r2)] [04 (rcvi r3 0 z)] [05 (wait r3)] [06 (assert (!= y 2))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (wait s1)] [12 (sndi s2 1 0 2)] [13 (wait s2)] bot )
  ( [20 (sndi t1 2 0 3)] [21 (wait t1)] bot ) )

( (00 bot) (10 bot) (20 bot) (01 ((0 1) bot)) (02 bot) (11 bot) (12 bot) (03 ((0 1) bot)) (04 bot) (13 bot)
  (05 ((0 2) bot)) (06 bot) (21 bot) )
