; The first receive wants tag 1.  If it takes s1, it passes over s0, which came first in the channel.  Then the second receive,
; which admits both, gets s0 (trace 2) or the message of thread 2 (trace 1): MPI orders the messages of one sender only.  The
; first receive may also get the message of thread 2 (trace 3), but never s0 (trace 4).
; expect infinite: failure (well-formed); success (well-formed); success (well-formed); error entry 4 at 01: no posted partner
; expect zero: failure (well-formed); success (well-formed); success (well-formed); error entry 4 at 01: no posted partner
; check infinite: violated
; check zero: violated
; store infinite 1: x = 2, y = 3, z = 1
; store infinite 2: x = 2, y = 1, z = 3
; matches infinite 1: r0 = s1, r1 = t0, r2 = s0
; matches zero 3: r0 = t0, r1 = s0, r2 = s1
( ( [00 (rcvi r0 0 x (tag 1))] [01 (wait r0)] [02 (rcvi r1 0 y)] [03 (wait r1)] [04 (rcvi r2 0 z)] [05 (wait r2)]
    [06 (assert (=> (= x 2) (= y 1)))] bot )
  ( [10 (sndi s0 1 0 1 (tag 2))] [11 (sndi s1 1 0 2 (tag 1))] bot )
  ( [20 (sndi t0 2 0 3 (tag 1))] bot ) )

( (10 bot) (11 bot) (20 bot) (00 bot) (01 ((0 1 1) bot)) (02 bot) (03 ((0 2) bot)) (04 bot) (05 ((0 1 2) bot)) (06 bot) )
( (10 bot) (11 bot) (20 bot) (00 bot) (01 ((0 1 1) bot)) (02 bot) (03 ((0 1 2) bot)) (04 bot) (05 ((0 2) bot)) (06 bot) )
( (10 bot) (11 bot) (20 bot) (00 bot) (01 ((0 2) bot)) (02 bot) (03 ((0 1 2) bot)) (04 bot) (05 ((0 1 1) bot)) (06 bot) )
( (10 bot) (11 bot) (20 bot) (00 bot) (01 ((0 1 2) bot)) )
