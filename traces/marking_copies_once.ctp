; wait(r2) copies the older message to x and marks it.  The thread then writes 50 to x; wait(r1) finds the message marked and
; leaves x as it is.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 50, y = 2
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (assert (= x 1))]
    [04 (x := 50)] [05 (wait r1)] [06 (assert (= x 50))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot)
  (02 ((0 1) (0 1) bot)) (03 bot) (04 bot) (05 bot) (06 bot) )
