; r1 is completed by wait(r2) and never waited for.  It and its marked message stay first in line at the endpoint, and the
; receive issued next still finds its own message, at the second place.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2, z = 3
; matches infinite 1: r1 = s1, r2 = s2, r3 = s3
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)]
    [03 (rcvi r3 0 z)] [04 (wait r3)]
    [05 (assert (and (= x 1) (and (= y 2) (= z 3))))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] [12 (sndi s3 1 0 3)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot) (12 bot)
  (02 ((0 1) (0 1) bot)) (03 bot) (04 ((0 1) bot)) (05 bot) )
