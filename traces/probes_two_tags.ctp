; A probe takes nothing: the receiver waits for tag 2 before it receives tag 1.  If the first send refuses to return, which a
; library may do, the second message is never sent, and both threads wait for ever.
; expect infinite: success (well-formed); error entry 3: trace used up; error entry 1 at 10: wrong peek
; expect zero: error entry 2 at 01: send not taken; error entry 2 at 01: send not taken; error entry 1 at 10: wrong peek
; check infinite: safe
; check zero: vacuous, deadlock
; store infinite 1: x = 1, y = 2, z = 2
; matches infinite 1: r1 = s1, r2 = s2
( ( [00 (sndi s1 0 1 1 (tag 1))] [01 (wait s1)] [02 (sndi s2 0 1 2 (tag 2))] [03 (wait s2)] bot )
  ( [10 (probe p1 1 (tag 1))] [11 (probe p2 1 (tag 2) (tagged z))] [12 (rcvi r1 1 x (tag 1))] [13 (wait r1)]
    [14 (rcvi r2 1 y (tag 2))] [15 (wait r2)] bot ) )

( (00 bot) (10 ((peek 1 0 1) bot)) (01 bot) (02 bot) (11 ((peek 1 0 2) bot)) (03 bot) (12 bot) (13 ((1 0 1) bot)) (14 bot)
  (15 ((1 0 2) bot)) )
( (00 bot) (10 ((peek 1 0 1) bot)) (01 bot) )
( (00 bot) (10 ((peek 1 0 2) bot)) )
