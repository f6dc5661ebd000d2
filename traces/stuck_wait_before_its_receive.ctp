; Rule D2 is broken on purpose: the wait stands before its receive, so nothing of that name pends and no rule applies, even in
; trace 2, where the message is there.  (Rule D3 is broken with it: no later wait encloses the receive.)  Without a buffer
; trace 2 does not get as far as the wait: its movement comes first and meets no posted receive.
; expect infinite: error entry 1 at 00: receive not pending; error entry 1 at 00: receive not pending
; expect zero: error entry 1 at 00: receive not pending; error entry 1 at 00: no posted partner
( ( [00 (wait r)] [01 (rcvi r 0 x)] bot )
  ( [10 (sndi s 1 0 1)] bot ) )

( (10 bot) (00 bot) (01 bot) )
( (10 bot) (00 ((0 1) bot)) (01 bot) )
