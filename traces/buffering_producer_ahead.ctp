; A producer that waits for each send.  With a buffer it may run to its end before the consumer begins (trace 1); without one
; producer and consumer take turns (trace 2).
; expect infinite: success (well-formed); success (well-formed)
; expect zero: error entry 1 at 01: send not taken; success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: a = 1, b = 4, c = 9
; store zero 2: a = 1, b = 4, c = 9
( ( [00 (sndi s1 0 1 1)] [01 (wait s1)] [02 (sndi s2 0 1 4)] [03 (wait s2)] [04 (sndi s3 0 1 9)] [05 (wait s3)] bot )
  ( [10 (rcvi r1 1 a)] [11 (wait r1)] [12 (rcvi r2 1 b)] [13 (wait r2)] [14 (rcvi r3 1 c)] [15 (wait r3)]
    [16 (assert (and (< a b) (< b c)))] bot ) )

( (00 bot) (01 bot) (02 bot) (03 bot) (04 bot) (05 bot)
  (10 bot) (11 ((1 0) bot)) (12 bot) (13 ((1 0) bot)) (14 bot) (15 ((1 0) bot)) (16 bot) )

( (10 bot) (00 bot) (01 ((1 0) bot)) (11 bot)
  (12 bot) (02 bot) (03 ((1 0) bot)) (13 bot)
  (14 bot) (04 bot) (05 ((1 0) bot)) (15 bot) (16 bot) )
