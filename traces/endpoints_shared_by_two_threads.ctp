; Rule D1 is broken on purpose: two threads receive at endpoint 0.  Receives at an endpoint complete in issue order, whoever
; issued them: the one first in line gets the first message.  In trace 1 ry's wait completes rx on the way, in another thread,
; and wait(rx) has only to remove what is marked.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed)
; store infinite 1: x = 1, y = 2
; store infinite 2: x = 2, y = 1
; matches infinite 1: rx = s, ry = t
; matches infinite 2: rx = t, ry = s
( ( [00 (rcvi rx 0 x)] [01 (wait rx)] bot )
  ( [10 (rcvi ry 0 y)] [11 (wait ry)] bot )
  ( [20 (sndi s 2 0 1)] [21 (sndi t 2 0 2)] bot ) )

( (00 bot) (10 bot) (20 bot) (21 bot) (11 ((0 2) (0 2) bot)) (01 bot) )
( (10 bot) (00 bot) (20 bot) (21 bot) (11 ((0 2) bot)) (01 ((0 2) bot)) )
