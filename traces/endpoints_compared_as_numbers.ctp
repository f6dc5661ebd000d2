; Endpoints are numbers: 00, 0 and +0 are the same one, 007 is 7.  Locations and actions are compared as written: 02 is not 2,
; and r is not R.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2
; matches infinite 1: r = s, R = S
( ( [2 (rcvi r 0 x)] [02 (rcvi R 00 y)] [002 (wait R)] [0002 (assert (and (= x 1) (= y 2)))] bot )
  ( [10 (sndi s 7 0 1)] [+10 (sndi S 007 +0 2)] bot ) )

( (2 bot) (02 bot) (10 bot) (+10 bot) (002 ((0 7) (00 +7) bot)) (0002 bot) )
