; A synchronous send whose message is matched to an mprobe waits until the receive has started.  Here the second mprobe comes
; before the first start, and the second send after the first one has returned: a deadlock.
; expect infinite: error entry 2 at 01: send not taken; error entry 2: trace used up
; expect zero: error entry 2 at 01: send not taken; error entry 2: trace used up
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
( ( [00 (ssndi s1 0 1 1)] [01 (wait s1)] [02 (ssndi s2 0 1 2)] [03 (wait s2)] bot )
  ( [10 (mprobe p1 1)] [11 (mprobe p2 1)] [12 (start p1 x)] [13 (start p2 y)] [14 (wait p1)] [15 (wait p2)] bot ) )

( (00 bot) (10 ((peek 1 0) bot)) (01 bot) )
( (00 bot) (10 ((peek 1 0) bot)) )
