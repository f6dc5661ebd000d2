; As head to head, but each thread posts its receive before it waits for its send: no buffer is needed any more.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store zero 1: x = 2, y = 1
; matches zero 1: r1 = s2, r2 = s1
( ( [00 (sndi s1 0 1 1)] [01 (rcvi r1 0 x)] [02 (wait s1)] [03 (wait r1)] bot )
  ( [10 (sndi s2 1 0 2)] [11 (rcvi r2 1 y)] [12 (wait s2)] [13 (wait r2)] bot ) )

( (00 bot) (10 bot) (01 bot) (11 bot)
  (02 ((1 0) bot)) (12 ((0 1) bot)) (03 bot) (13 bot) )
