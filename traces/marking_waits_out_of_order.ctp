; Waits in the order r2, r3, r1.  The first completes r1 and r2, the second r3 alone, the third only removes r1.  After each of
; them the pending receives and the delivered messages are still partners place by place.  Trace 2 never delivers s3: the
; marked message of r1 does not help r3.
; expect infinite: success (well-formed); error entry 8 at 05: message not there
; expect zero: success (well-formed); error entry 8 at 05: message not there
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2, z = 3
; matches infinite 1: r1 = s1, r2 = s2, r3 = s3
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (rcvi r3 0 z)]
    [03 (wait r2)] [04 (assert (and (= x 1) (= y 2)))]
    [05 (wait r3)] [06 (assert (= z 3))]
    [07 (wait r1)] [08 (assert (= x 1))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] [12 (sndi s3 1 0 3)] bot ) )

( (00 bot) (01 bot) (02 bot) (10 bot) (11 bot) (12 bot)
  (03 ((0 1) (0 1) bot)) (04 bot)
  (05 ((0 1) bot)) (06 bot) (07 bot) (08 bot) )

( (00 bot) (01 bot) (02 bot) (10 bot) (11 bot) (12 bot)
  (03 ((0 1) (0 1) bot)) (04 bot)
  (05 bot) (06 bot) (07 bot) (08 bot) )
