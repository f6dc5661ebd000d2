; Process Queue Movement: (beta alpha) takes the oldest message in transit from alpha to beta and appends it to what has been
; delivered at beta.  All movements of an entry come before its command; here one entry moves three messages over two channels.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: violated
; check zero: violated
; store infinite 1: x = 1, y = 7, z = 2
; matches infinite 1: r1 = s1, r2 = t1, r3 = s2
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (rcvi r3 0 z)] [03 (wait r3)]
    [04 (assert (and (= x 1) (and (= y 7) (= z 2))))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot )
  ( [20 (sndi t1 2 0 7)] bot ) )

( (10 bot) (11 bot) (20 bot) (00 bot) (01 bot) (02 bot)
  (03 ((0 1) (0 2) (0 1) bot)) (04 bot) )
