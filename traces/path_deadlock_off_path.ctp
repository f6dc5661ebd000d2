; With zero buffering thread 1 hangs if thread 0 takes T.  But then the assumption at c is false: the real program goes another
; way there, and may well take S later.  So this deadlock is not the program's.  check --runs complete reports it.
; expect infinite: success (not well-formed); infeasible (not well-formed)
; expect zero: success (not well-formed); error entry 5 at f: send not taken
; check infinite: safe
; check zero: safe
( ( [a (rcvi R 0 A)] [b (wait R)] [c (assume (= A 1))] [d (assert (= A 1))] bot )
  ( [e (sndi S 1 0 1)] [f (wait S)] bot )
  ( [g (sndi T 2 0 2)] bot ) )

( (a bot) (e bot) (g bot) (b ((0 1) bot)) (c bot) (d bot) (f bot) )
( (a bot) (e bot) (g bot) (b ((0 2) bot)) (c bot) (f bot) (d bot) )
