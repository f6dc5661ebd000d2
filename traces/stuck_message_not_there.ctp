; A wait for a receive needs its message delivered, not only sent.  In trace 1 nothing was sent, in trace 2 the message is still
; in transit, in trace 3 the one delivered message belongs to r1, and r2 is waited for.
; expect infinite: error entry 2 at 02: message not there; error entry 4 at 02: message not there; error entry 4 at 02: message not there
; expect zero: error entry 2 at 02: message not there; error entry 4 at 02: message not there; error entry 4 at 02: message not there
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (wait r1)] bot )
  ( [10 (sndi s 1 0 1)] [11 (sndi t 1 0 2)] bot ) )

( (00 bot) (01 bot) (02 bot) )
( (00 bot) (01 bot) (10 bot) (11 bot) (02 bot) )
( (00 bot) (01 bot) (10 bot) (11 bot) (02 ((0 1) bot)) )
