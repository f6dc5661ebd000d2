; The first receive wants tag 2, and takes the later message of the channel; the earlier one stays in transit for the second
; receive.  Trace 2 says which message moves; in trace 3 the wanted one is not sent yet.  The sender waits for its first message
; before it sends the second: with zero buffering that wait is for a receive that thread 0 posts only when it has the second
; message, a deadlock.
; expect infinite: success (well-formed); success (well-formed); error entry 3 at 01: no posted partner
; expect zero: error entry 1 at 11: send not taken; error entry 1 at 11: send not taken; error entry 1 at 11: send not taken
; check infinite: safe
; check zero: vacuous, deadlock
; store infinite 1: x = 2, y = 1
; matches infinite 1: r0 = s1, r1 = s0
; matches infinite 2: r0 = s1, r1 = s0
( ( [00 (rcvi r0 0 x (tag 2))] [01 (wait r0)] [02 (rcvi r1 0 y (tag 1))] [03 (wait r1)]
    [04 (assert (= x 2))] [05 (assert (= y 1))] bot )
  ( [10 (sndi s0 1 0 1 (tag 1))] [11 (wait s0)] [12 (sndi s1 1 0 2 (tag 2))] [13 (wait s1)] bot ) )

( (10 bot) (11 bot) (12 bot) (13 bot) (00 bot) (01 ((0 1) bot)) (02 bot) (03 ((0 1) bot)) (04 bot) (05 bot) )
( (10 bot) (11 bot) (12 bot) (13 bot) (00 bot) (01 ((0 1 2) bot)) (02 bot) (03 ((0 1 1) bot)) (04 bot) (05 bot) )
( (10 bot) (11 bot) (00 bot) (01 ((0 1) bot)) )
