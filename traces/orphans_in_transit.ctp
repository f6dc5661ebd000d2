; Two sends and one receive: whichever loses the race stays in transit.  The run is complete and has its status, but it is not
; well-formed, since not every send is matched.
; expect infinite: success (not well-formed); failure (not well-formed)
; expect zero: success (not well-formed); failure (not well-formed)
; check infinite: violated
; check zero: violated
; store infinite 2: x = 2
; matches infinite 1: r = s
; matches infinite 2: r = t
( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (assert (= x 1))] bot )
  ( [10 (sndi s 1 0 1)] bot )
  ( [20 (sndi t 2 0 2)] bot ) )

( (00 bot) (10 bot) (20 bot) (01 ((0 1) bot)) (02 bot) )
( (00 bot) (10 bot) (20 bot) (01 ((0 2) bot)) (02 bot) )
