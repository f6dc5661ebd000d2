; Rule D2 is broken on purpose: r is waited for twice.  The first wait removes it, so for the second nothing of that name pends.
; expect infinite: error entry 3 at 02: receive not pending
; expect zero: error entry 3 at 02: receive not pending
( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (wait r)] bot )
  ( [10 (sndi s 1 0 1)] bot ) )

( (00 bot) (10 bot) (01 ((0 1) bot)) (02 bot) )
