; A is 2 if T overtakes S.  Then the assertion at c fails, and the assumption at d is false.  The failure came first, on the
; recorded path, so it counts.  The run ends as infeasible all the same, so no complete run fails:
; check --runs complete says safe.
; expect infinite: success (not well-formed); infeasible (not well-formed)
; expect zero: success (not well-formed); infeasible (not well-formed)
; check infinite: violated
; check zero: violated
; matches infinite 2: R = T
( ( [a (rcvi R 0 A)] [b (wait R)] [c (assert (= A 1))] [d (assume (= A 1))] bot )
  ( [e (sndi S 1 0 1)] bot )
  ( [f (sndi T 2 0 2)] bot ) )

( (a bot) (e bot) (f bot) (b ((0 1) bot)) (c bot) (d bot) )
( (a bot) (e bot) (f bot) (b ((0 2) bot)) (c bot) (d bot) )
