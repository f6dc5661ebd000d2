; Rule D6 is broken on purpose: an integer and a boolean are sent to one endpoint, and the race decides what x + 1 meets.
; The other message is never received.
; expect infinite: success (not well-formed); error entry 4 at 02: wrong sort
; expect zero: success (not well-formed); error entry 4 at 02: wrong sort
; store infinite 1: x = 41, y = 42
( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (y := (+ x 1))] bot )
  ( [10 (sndi s 1 0 41)] bot )
  ( [20 (sndi t 2 0 true)] bot ) )

( (00 bot) (10 bot) (20 bot) (01 ((0 1) bot)) (02 bot) )
( (00 bot) (10 bot) (20 bot) (01 ((0 2) bot)) (02 bot) )
