; Rule D2 is broken on purpose: thread 1 waits for thread 0's receive (and D3 with it, since no wait in thread 0 encloses r).
; The machine does not mind; it only matters that r is issued first, as in trace 1 and not in trace 2.
; expect infinite: success (well-formed); error entry 1 at 10: receive not pending
; expect zero: success (well-formed); error entry 1 at 10: receive not pending
; store infinite 1: x = 6
; matches infinite 1: r = s
( ( [00 (rcvi r 0 x)] bot )
  ( [10 (wait r)] bot )
  ( [20 (sndi s 2 0 6)] bot ) )

( (20 bot) (00 bot) (10 ((0 2) bot)) )
( (20 bot) (10 bot) (00 bot) )
