; Messages of one channel arrive in the order sent; a movement names the channel and not the message, so no trace can swap them.
; Both traces get 1, 2, 3, however the movements are spread.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2, z = 3
; store infinite 2: x = 1, y = 2, z = 3
; matches infinite 2: r1 = s1, r2 = s2, r3 = s3
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (rcvi r2 0 y)] [03 (rcvi r3 0 z)] [04 (wait r2)] [05 (wait r3)]
    [06 (assert (and (= x 1) (and (= y 2) (= z 3))))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] [12 (sndi s3 1 0 3)] bot ) )

( (10 bot) (11 bot) (12 bot)
  (00 bot) (01 ((0 1) bot)) (02 bot) (03 bot) (04 ((0 1) (0 1) bot)) (05 bot) (06 bot) )

( (00 bot) (10 bot) (01 ((0 1) bot))
  (02 bot) (03 bot) (11 bot) (12 ((0 1) bot)) (04 bot) (05 ((0 1) bot)) (06 bot) )
