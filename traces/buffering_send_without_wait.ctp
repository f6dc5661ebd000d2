; Zero buffering holds back the wait for a send, not the send: nobody waits for s1 and s2, both threads go on to their
; receives, and the messages meet them there.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store zero 1: x = 2, y = 1
( ( [00 (sndi s1 0 1 1)] [01 (rcvi r1 0 x)] [02 (wait r1)] bot )
  ( [10 (sndi s2 1 0 2)] [11 (rcvi r2 1 y)] [12 (wait r2)] bot ) )

( (00 bot) (10 bot) (01 bot) (02 ((0 1) bot)) (11 bot) (12 ((1 0) bot)) )
