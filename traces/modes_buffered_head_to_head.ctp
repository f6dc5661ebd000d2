; Two threads send to each other and wait for their sends before they receive.  Buffered sends never wait, so both go on, also
; with zero buffering; only their messages move when the receives are posted.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); error entry 4 at 02: no posted partner
; check infinite: safe
; check zero: safe
; store zero 1: x = 2, y = 1
; matches zero 1: r1 = s2, r2 = s1
( ( [00 (bsndi s1 0 1 1)] [01 (wait s1)] [02 (rcvi r1 0 x)] [03 (wait r1)] bot )
  ( [10 (bsndi s2 1 0 2)] [11 (wait s2)] [12 (rcvi r2 1 y)] [13 (wait r2)] bot ) )

( (00 bot) (10 bot) (01 bot) (11 bot) (02 bot) (03 ((0 1) bot)) (12 bot) (13 ((1 0) bot)) )
( (00 bot) (10 bot) (01 bot) (11 bot) (02 ((0 1) bot)) (03 bot) (12 bot) (13 ((1 0) bot)) )
