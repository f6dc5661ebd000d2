; A ready send needs a posted receive.  Here thread 0 posts its receive before the barrier, and thread 1 sends after it, so there
; always is one.
; expect infinite: success (well-formed); error entry 0 at 10: not at barrier
; expect zero: success (well-formed); error entry 0 at 10: not at barrier
; check infinite: safe
; check zero: safe
; store infinite 1: x = 7
; matches infinite 1: r = s
( ( [00 (rcvi r 0 x)] [01 (barrier b)] [02 (wait r)] [03 (assert (= x 7))] bot )
  ( [10 (barrier b)] [11 (rsndi s 1 0 7)] [12 (wait s)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot) (02 ((0 1) bot)) (03 bot) (12 bot) )
( (10 bot) )
