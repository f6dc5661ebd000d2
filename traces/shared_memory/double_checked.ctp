; Double-checked locking with a flag that is set before the object is ready. Recorded was a run in which thread 1 found the flag set.
; expect infinite: failure (well-formed); error entry 6: trace used up
; expect zero: failure (well-formed); error entry 6: trace used up
; check infinite: violated, data race, 1 switch
; check zero: violated, data race, 1 switch
; complete infinite: violated, 2 switches
; complete zero: violated, 2 switches
(shared [l 1] [flag 0] [object 0])
( ( [a1 (assume (= flag 0))] [a2 (when (> l 0) (l := (- l 1)))] [a3 (assume (= flag 0))] [a4 (flag := 1)] [a5 (object := 42)] [a6 (l := (+ l 1))] bot )
  ( [b1 (assume (= flag 1))] [b2 (assert (= object 42))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (b1 bot) (b2 bot) (a5 bot) (a6 bot) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (b1 bot) (b2 bot) )
