; The path of hybrid_probe_leaves_path.ctp on which both threads saw the message of rank 1: only one of them can get it, and the
; other one waits forever.
; expect infinite: error entry 12: trace used up
; expect zero: error entry 12: trace used up
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
; complete infinite: vacuous
; complete zero: vacuous
(shared [go 0] [done 0])
( ( [a1 (go := 1)] [a2 (probe P 0 (source p))] [a3 (assume (= p 1))] [a4 (rcvi R 0 x (from 1))] [a5 (wait R)]
    [a6 (when (= done 1))] bot )
  ( [b1 (when (= go 1))] [b2 (probe Q 0 (source q))] [b3 (assume (= q 1))] [b4 (rcvi T 0 y (from 1))] [b5 (wait T)]
    [b6 (done := 1)] bot )
  ( [c1 (sndi S 1 0 4)] [c2 (wait S)] bot )
  ( [d1 (sndi U 2 0 8)] [d2 (wait U)] bot ) )
( (c1 bot) (d1 bot) (a1 bot) (b1 bot) (a2 ((peek 0 1) bot)) (b2 ((peek 0 1) bot)) (b3 bot) (a3 bot) (a4 bot) (b4 bot)
  (a5 ((0 1) bot)) (c2 bot) )
