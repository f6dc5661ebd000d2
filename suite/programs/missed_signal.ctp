; cond_wait without a look at the condition: if the signal comes first, nobody waits for it, and the waiter waits for ever.
; Recorded was a run in which the signal came first: nobody waited. l is the mutex, w counts waiters, s signals.
; expect infinite: error entry 5: trace used up; error entry 6: trace used up
; expect zero: error entry 5: trace used up; error entry 6: trace used up
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
; complete infinite: vacuous
; complete zero: vacuous
(shared [l 1] [w 0] [s 0] [ready 0])
( ( [a1 (when (> l 0) (l := (- l 1)))] [a2 (assume true (w := (+ w 1)) (l := (+ l 1)))] [a3 (when (> s 0) (s := (- s 1)))]
    [a4 (when (> l 0) (l := (- l 1)))] [a5 (assert (= ready 1))] [a6 (l := (+ l 1))] bot )
  ( [b1 (when (> l 0) (l := (- l 1)))] [b2 (ready := 1)] [b3 (assume (= w 0))] [b4 (l := (+ l 1))] bot ) )
( (a1 bot) (a2 bot) (b1 bot) (b2 bot) (b3 bot) )
( (b1 bot) (b2 bot) (b3 bot) (b4 bot) (a1 bot) (a2 bot) )
