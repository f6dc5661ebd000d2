; Each thread waits for the other's message before it sends its own: no buffer helps, nothing is ever sent.  Every trace ends in
; an error: a wait without its message, or the end of the trace.
; expect infinite: error entry 2 at 01: message not there; error entry 2: trace used up
; expect zero: error entry 2 at 01: message not there; error entry 2: trace used up
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (sndi s1 0 1 x)] bot )
  ( [10 (rcvi r2 1 y)] [11 (wait r2)] [12 (sndi s2 1 0 y)] bot ) )

( (00 bot) (10 bot) (01 bot) )
( (00 bot) (10 bot) )
