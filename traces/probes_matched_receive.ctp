; An mprobe takes the message that it sees: whatever is received in between, its own receive gets that one.  An earlier
; receive comes first: in trace 2 the mprobe cannot see the message that r1 gets.
; expect infinite: success (well-formed); error entry 2 at 01: nothing to probe
; expect zero: success (well-formed); error entry 2 at 01: nothing to probe
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2, u = 2
; matches infinite 1: p = s2, r1 = s1
; matches zero 1: p = s2, r1 = s1
( ( [00 (rcvi r1 0 x (from 1))] [01 (mprobe p 0 (source y))] [02 (wait r1)] [03 (start p u)] [04 (wait p)]
    [05 (assert (and (= u y) (= x 1)))] bot )
  ( [10 (sndi s1 1 0 1)] [11 (wait s1)] bot )
  ( [20 (sndi s2 2 0 2)] [21 (wait s2)] bot ) )

( (10 bot) (20 bot) (00 bot) (01 ((peek 0 2) bot)) (02 ((0 1) bot)) (11 bot) (03 bot) (21 bot) (04 bot) (05 bot) )
( (10 bot) (00 bot) (01 ((peek 0 1) bot)) )
