; Thread 0 waits for a message before it comes to the barrier, and thread 1 sends it behind the barrier: a deadlock.
; expect infinite: error entry 1 at 02: message not there; error entry 0 at 10: not at barrier
; expect zero: error entry 1 at 02: message not there; error entry 0 at 10: not at barrier
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
( ( [01 (rcvi r 0 x)] [02 (wait r)] [03 (barrier B)] bot )
  ( [10 (barrier B)] [11 (sndi s 1 0 1)] bot ) )

( (01 bot) (02 bot) )
( (10 bot) )
