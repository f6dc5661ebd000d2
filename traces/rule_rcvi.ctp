; Rcvi: puts the action and the variable at the end of what pends at beta, and returns at once; the variable keeps its old
; value until a wait completes the receive, even when the message has been delivered already (at 03).
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 8
( ( [00 (x := 1)] [01 (rcvi r 0 x)] [02 (assert (= x 1))] [03 (assert (= x 1))]
    [04 (wait r)] [05 (assert (= x 8))] bot )
  ( [10 (sndi s 1 0 8)] bot ) )

( (00 bot) (01 bot) (02 bot) (10 bot) (03 ((0 1) bot)) (04 bot) (05 bot) )
