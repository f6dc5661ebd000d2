; Erratum E21, smallest: send, then receive, then wait.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (sndi s1 0 0 1)] [01 (rcvi r1 0 x)] [02 (wait r1)] bot ) )

( (00 bot) (01 bot) (02 ((0 0) bot)) )
