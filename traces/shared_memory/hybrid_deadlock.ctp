; A rank's thread holds a lock while it waits for a message, and the other thread needs the lock to send the answer that the
; message is waiting for.
; expect infinite: success (well-formed); error entry 3: trace used up
; expect zero: error entry 3 at b3: send not taken; error entry 3: trace used up
; check infinite: safe, deadlock
; check zero: safe, deadlock
; complete infinite: safe
; complete zero: safe
(shared [l 1])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (rcvi R 0 x)] [a3 (wait R)] [a4 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (sndi S 1 2 1)] [b3 (wait S)] [b4 (l := (+ l 1))] bot )
  ( [c1 (rcvi Q 2 y)] [c2 (wait Q)] [c3 (sndi T 3 0 y)] [c4 (wait T)] bot ) )
( (c1 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (a1 bot) (a2 bot) (c2 ((2 1) bot)) (c3 bot) (c4 bot) (a3 ((0 3) bot)) (a4 bot) )
( (c1 bot) (a1 bot) (a2 bot) )
