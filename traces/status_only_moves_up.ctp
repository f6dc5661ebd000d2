; success < failure < infeasible < error, and the status only moves up: a failed assertion and a false assumption make the run
; infeasible in either order, and a true assertion afterwards does not bring it back.
; expect infinite: infeasible (well-formed); infeasible (well-formed)
; expect zero: infeasible (well-formed); infeasible (well-formed)
; check infinite: vacuous
; check zero: vacuous
( ( [00 (assert (= 1 2))] [01 (assert true)] bot )
  ( [10 (assume (= 1 2))] [11 (assume true)] bot ) )

( (00 bot) (10 bot) (01 bot) (11 bot) )
( (10 bot) (00 bot) (11 bot) (01 bot) )
