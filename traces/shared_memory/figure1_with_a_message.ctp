; Figure 1 of Symbolic Predictive Analysis with one message: thread 1 gets b from thread 0. docs/encoding.md encodes it.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: violated, data race, 1 switch
; check zero: violated, data race, 1 switch
; complete infinite: violated, 2 switches
; complete zero: violated, 2 switches
; models infinite 1: ctp violated, mcm safe, hb safe
(shared [x 0] [y 0] [l 1])
( ( [t1 (a := x)] [s (sndi S 0 1 a)] [t2 (when (> l 0) (l := (- l 1)))] [t3 (x := (+ 2 a))] [t4 (l := (+ l 1))]
    [t5 (y := (+ 1 a))] [t6 (when (> l 0) (l := (- l 1)))] [t7 (x := (+ 1 a))] [t8 (l := (+ l 1))] )
  ( [r (rcvi R 1 b)] [t9 (wait R)] [t10 (when (> l 0) (l := (- l 1)))] [t11 (assume (> x b))] [t12 (assert (= y 1))]
    [t13 (l := (+ l 1))] ) )
( (t1 bot) (s bot) (t2 bot) (t3 bot) (t4 bot) (t5 bot) (t6 bot) (t7 bot) (t8 bot)
  (r bot) (t9 ((1 0) bot)) (t10 bot) (t11 bot) (t12 bot) (t13 bot) )
