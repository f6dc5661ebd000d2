; Two messages compete for one receive, and thread 1 waits for its own.  With zero buffering it waits for ever if thread 0 takes
; the other (trace 2).  No assertion fails either way.  With infinite buffering its wait passes at once.
; expect infinite: success (not well-formed); success (not well-formed)
; expect zero: success (not well-formed); error entry 5 at 11: send not taken
; check infinite: safe
; check zero: safe, deadlock
( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (assert (> x 0))] bot )
  ( [10 (sndi s 1 0 1)] [11 (wait s)] bot )
  ( [20 (sndi t 2 0 2)] bot ) )

( (00 bot) (10 bot) (20 bot) (01 ((0 1) bot)) (02 bot) (11 bot) )
( (00 bot) (10 bot) (20 bot) (01 ((0 2) bot)) (02 bot) (11 bot) )
