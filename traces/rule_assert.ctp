; Assert: its expression is reduced to a value; false makes the run a failure, true leaves the status alone.  The race decides:
; the assertion wants the first message to be 1.
; expect infinite: success (well-formed); failure (well-formed)
; expect zero: success (well-formed); failure (well-formed)
; check infinite: violated
; check zero: violated
; matches infinite 1: r1 = s, r2 = t
; matches infinite 2: r1 = t, r2 = s
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (rcvi r2 0 y)] [03 (wait r2)] [04 (assert (= (- x y) -1))] bot )
  ( [10 (sndi s 1 0 1)] bot )
  ( [20 (sndi t 2 0 2)] bot ) )

( (10 bot) (20 bot) (00 bot) (01 ((0 1) bot)) (02 bot) (03 ((0 2) bot)) (04 bot) )
( (10 bot) (20 bot) (00 bot) (01 ((0 2) bot)) (02 bot) (03 ((0 1) bot)) (04 bot) )
