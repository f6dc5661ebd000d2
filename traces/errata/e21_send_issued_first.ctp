; Erratum E21: the rule for a wait on a receive wants the send before the receive in A, which lists the newest first.  By the
; paper's letter the machine is stuck at 02 when the send was issued first (trace 1); here both orders run.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1
; matches infinite 1: r = s
( ( [00 (rcvi r 0 x)] [02 (wait r)] bot )
  ( [10 (sndi s 1 0 1)] bot ) )

( (10 bot) (00 bot) (02 ((0 1) bot)) )
( (00 bot) (10 bot) (02 ((0 1) bot)) )
