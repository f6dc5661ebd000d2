; A wait completes earlier receives of its own endpoint only.  In trace 1 wait(ry), endpoint 1, goes on although nothing has
; been delivered to rx, issued earlier at endpoint 0.  In trace 2 rx's message is there too, and still only wait(rx) copies
; it, so that the 7 stored in x at 03 does not stay.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2
; store infinite 2: x = 1, y = 2
; matches infinite 2: rx = sx, ry = sy
( ( [00 (rcvi rx 0 x)] [01 (rcvi ry 1 y)] [02 (wait ry)] [03 (x := 7)]
    [04 (wait rx)] [05 (assert (and (= x 1) (= y 2)))] bot )
  ( [10 (sndi sx 2 0 1)] [11 (sndi sy 2 1 2)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot)
  (02 ((1 2) bot)) (03 bot) (04 ((0 2) bot)) (05 bot) )

( (00 bot) (01 bot) (10 bot) (11 bot)
  (02 ((0 2) (1 2) bot)) (03 bot) (04 bot) (05 bot) )
