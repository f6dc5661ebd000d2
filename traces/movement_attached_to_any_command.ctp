; Movements may stand at any entry, not only at waits on receives; they happen before that entry's command.  In trace 1 the
; message moves with a third thread's assignment, in trace 2 with the entry that posts its receive: just before it is posted,
; which only a buffer allows.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); error entry 1 at 10: no posted partner
; check infinite: safe
; check zero: safe
; store infinite 1: x = 8, y = 0
; store infinite 2: x = 8, y = 0
( ( [00 (sndi s 0 1 8)] bot )
  ( [10 (rcvi r 1 x)] [11 (wait r)] bot )
  ( [20 (y := 0)] bot ) )

( (00 bot) (10 bot) (20 ((1 0) bot)) (11 bot) )
( (00 bot) (10 ((1 0) bot)) (20 bot) (11 bot) )
