; Both threads find the place free, and both take it: the check and the act are two steps.
; expect infinite: failure (well-formed); error entry 7: trace used up
; expect zero: failure (well-formed); error entry 7: trace used up
; check infinite: violated, data race, 2 switches
; check zero: violated, data race, 2 switches
; complete infinite: violated, 2 switches
; complete zero: violated, 2 switches
(shared [taken 0] [owners 0])
( ( [a1 (assume (= taken 0))] [a2 (taken := 1)] [a3 (assume true (owners := (+ owners 1)))] [a4 (assert (= owners 1))] bot )
  ( [b1 (assume (= taken 0))] [b2 (taken := 1)] [b3 (assume true (owners := (+ owners 1)))] [b4 (assert (= owners 1))] bot ) )
( (a1 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (a2 bot) (a3 bot) (a4 bot) )
( (a1 bot) (b1 bot) (b2 bot) (b3 bot) (a2 bot) (a3 bot) (a4 bot) )
