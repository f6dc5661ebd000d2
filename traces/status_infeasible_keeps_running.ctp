; A false assumption marks the run as one that does not take this control flow, and it goes on: later values are still stored.
; Being infeasible does not excuse the rest: trace 2 stops at a wait without a message, and that is an error.
; expect infinite: infeasible (well-formed); error entry 3 at 11: message not there
; expect zero: infeasible (well-formed); error entry 3 at 11: message not there
; check infinite: vacuous
; check zero: vacuous
; store infinite 1: x = 1, y = 10
( ( [00 (x := 1)] [01 (assume (> x 1))] [02 (sndi s 0 1 (* 10 x))] bot )
  ( [10 (rcvi r 1 y)] [11 (wait r)] bot ) )

( (00 bot) (01 bot) (02 bot) (10 bot) (11 ((1 0) bot)) )
( (00 bot) (01 bot) (10 bot) (11 bot) (02 bot) )
