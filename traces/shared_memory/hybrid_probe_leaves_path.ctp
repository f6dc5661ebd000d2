; Two threads of rank 0 probe for a message from anybody, and then receive from where the probe saw one (MPI_THREAD_MULTIPLE).
; On this path they saw messages of different ranks. Both can see that of rank 1: hybrid_probe_taken.ctp is that path.
; expect infinite: success (well-formed); infeasible (well-formed)
; expect zero: success (well-formed); infeasible (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
; matches infinite 1: R = S, T = U
(shared [go 0] [done 0])
( ( [a1 (go := 1)] [a2 (probe P 0 (source p))] [a3 (assume (= p 1))] [a4 (rcvi R 0 x (from 1))] [a5 (wait R)]
    [a6 (when (= done 1))] bot )
  ( [b1 (when (= go 1))] [b2 (probe Q 0 (source q))] [b3 (assume (= q 2))] [b4 (rcvi T 0 y (from 2))] [b5 (wait T)]
    [b6 (done := 1)] bot )
  ( [c1 (sndi S 1 0 4)] [c2 (wait S)] bot )
  ( [d1 (sndi U 2 0 8)] [d2 (wait U)] bot ) )
( (c1 bot) (d1 bot) (a1 bot) (b1 bot) (a2 ((peek 0 1) bot)) (a3 bot) (a4 bot) (a5 ((0 1) bot)) (b2 ((peek 0 2) bot)) (b3 bot)
  (b4 bot) (b5 ((0 2) bot)) (b6 bot) (a6 bot) (c2 bot) (d2 bot) )
( (c1 bot) (d1 bot) (a1 bot) (b1 bot) (a2 ((peek 0 1) bot)) (b2 ((peek 0 1) bot)) (b3 bot) (a3 bot) (a4 bot) (a5 ((0 1) bot))
  (b4 bot) (b5 ((0 2) bot)) (b6 bot) (a6 bot) (c2 bot) (d2 bot) )
