; The example of Section 4.2: rcvA and rcvB pend at one endpoint, and rcvB is waited for first.  That wait gives the first
; message to x0 and marks it, then takes the second for x1; the wait for rcvA only removes what is marked.
; Trace 2 looks at x0 as trace 1 does, but only one message has been delivered when rcvB is waited for.
; expect infinite: success (well-formed); error entry 4 at 02: message not there
; expect zero: success (well-formed); error entry 4 at 02: message not there
; check infinite: safe
; check zero: safe
; store infinite 1: x0 = 10, x1 = 20
; matches infinite 1: rcvA = snd1, rcvB = snd2
( ( [00 (rcvi rcvA 0 x0)] [01 (rcvi rcvB 0 x1)]
    [02 (wait rcvB)] [03 (assert (and (= x0 10) (= x1 20)))]
    [04 (wait rcvA)] bot )
  ( [10 (sndi snd1 1 0 10)] [11 (sndi snd2 1 0 20)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot)
  (02 ((0 1) (0 1) bot)) (03 bot) (04 bot) )

( (00 bot) (01 bot) (10 bot) (11 bot)
  (02 ((0 1) bot)) (03 bot) (04 ((0 1) bot)) )
