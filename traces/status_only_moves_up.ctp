; success < failure < infeasible < error, and the status only moves up: a failed assertion and a false assumption make the run
; infeasible in either order, and a true assertion afterwards does not bring it back.  In the first trace the assertion fails on
; the path, before the assumption is false.  So the program is violated, though no complete run fails.
; expect infinite: infeasible (well-formed); infeasible (well-formed)
; expect zero: infeasible (well-formed); infeasible (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (assert (= 1 2))] [01 (assert true)] bot )
  ( [10 (assume (= 1 2))] [11 (assume true)] bot ) )

( (00 bot) (10 bot) (01 bot) (11 bot) )
( (10 bot) (00 bot) (11 bot) (01 bot) )
