; Three receives pend at endpoint 0 and only the last is waited for: its wait gives all three their messages, in the order the
; messages were delivered.  r1 and r2 stay behind with their marked messages, which still counts as matched.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: sum = 600, x = 100, y = 200, z = 300
; matches infinite 1: r1 = s1, r2 = s2, r3 = s3
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (rcvi r3 0 z)]
    [03 (wait r3)] [04 (sum := (+ x (+ y z)))] [05 (assert (= sum 600))] bot )
  ( [10 (sndi s1 1 0 100)] bot )
  ( [20 (sndi s2 2 0 200)] bot )
  ( [30 (sndi s3 3 0 300)] bot ) )

( (00 bot) (01 bot) (02 bot) (30 bot) (20 bot) (10 bot)
  (03 ((0 1) (0 2) (0 3) bot)) (04 bot) (05 bot) )
