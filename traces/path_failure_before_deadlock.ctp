; A is 2 if T overtakes S, and the assertion at c fails.  Then thread 0 waits for three messages, and there are only two: no run
; completes.  The failure counts when it happens, whatever comes later.  check --runs complete says vacuous.
; expect infinite: error entry 8 at i: message not there; error entry 6: trace used up
; expect zero: error entry 8 at i: message not there; error entry 6: trace used up
; check infinite: violated, deadlock
; check zero: violated, deadlock
; matches infinite 2: R = T
( ( [a (rcvi R 0 A)] [b (wait R)] [c (assert (= A 1))]
    [d (rcvi Q 0 B)] [g (rcvi P 0 C)] [h (wait Q)] [i (wait P)] bot )
  ( [e (sndi S 1 0 1)] bot )
  ( [f (sndi T 2 0 2)] bot ) )

( (a bot) (e bot) (f bot) (b ((0 1) bot)) (c bot) (d bot) (g bot) (h ((0 2) bot)) (i bot) )
( (a bot) (e bot) (f bot) (b ((0 2) bot)) (c bot) (d bot) )
