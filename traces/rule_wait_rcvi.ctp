; Wait (Rcvi): gives the delivered message to the variable and removes the request, its message and their actions.
; Delivery may come with the wait itself (trace 1) or with any entry before it (trace 2).
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: done = true, x = 5
; store infinite 2: done = true, x = 5
; matches infinite 1: r = s
( ( [00 (sndi s 0 1 5)] [01 (done := true)] bot )
  ( [10 (rcvi r 1 x)] [11 (wait r)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 ((1 0) bot)) )
( (10 bot) (00 bot) (01 ((1 0) bot)) (11 bot) )
