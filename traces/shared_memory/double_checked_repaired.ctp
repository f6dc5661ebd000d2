; double_checked.ctp with the flag set last.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe, data race
; check zero: safe, data race
; complete infinite: safe
; complete zero: safe
(shared [l 1] [flag 0] [object 0])
( ( [a1 (assume (= flag 0))] [a2 (when (> l 0) (l := (- l 1)))] [a3 (assume (= flag 0))] [a4 (object := 42)] [a5 (flag := 1)] [a6 (l := (+ l 1))] bot )
  ( [b1 (assume (= flag 1))] [b2 (assert (= object 42))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (a5 bot) (a6 bot) (b1 bot) (b2 bot) )
