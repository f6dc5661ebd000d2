; Both receives write to x and one wait completes both: the older message is copied first, so the newer one is what stays.
; Waiting for r1 afterwards finds it marked and does not bring the older value back.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 2
; matches infinite 1: r1 = s1, r2 = s2
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 x)]
    [02 (wait r2)] [03 (assert (= x 2))]
    [04 (wait r1)] [05 (assert (= x 2))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot)
  (02 ((0 1) (0 1) bot)) (03 bot) (04 bot) (05 bot) )
