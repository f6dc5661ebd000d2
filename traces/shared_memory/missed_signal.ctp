; cond_wait without a look at the condition: if the signal comes first, nobody waits for it, and the waiter waits forever.
; l is the mutex; c.n says whether the thread waits, and c.p whether it is signalled.
; expect infinite: success (well-formed); error entry 6: trace used up
; expect zero: success (well-formed); error entry 6: trace used up
; check infinite: safe, deadlock
; check zero: safe, deadlock
; complete infinite: safe
; complete zero: safe
(shared [l 1] atomic [c.n 0] atomic [c.p 0] [ready 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume true (l := (+ l 1)) (c.n := 1))] [a3 (when (= c.p 1) (c.n := 0) (c.p := 0))]
    [a4 (when (> l 0) (l := (- l 1)))] [a5 (assert (= ready 1))] [a6 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (ready := 1)] [b3 (assume true (c.p := c.n))] [b4 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (a3 bot) (a4 bot) (a5 bot) (a6 bot) )
( (b1 bot) (b2 bot) (b3 bot) (b4 bot) (a1 bot) (a2 bot) )
