; ABA: a stack 1 -> 2, with next1 = 2. Thread 0 reads top = 1 and next1 = 2, and swaps top from 1 to 2 later. In between thread 1
; pops 1 and 2 and pushes 1 again: the swap succeeds, and top is 2, which is no longer in the stack.
; expect infinite: failure (well-formed); error entry 6: trace used up
; expect zero: failure (well-formed); error entry 6: trace used up
; check infinite: violated, data race, 1 switch
; check zero: violated, data race, 1 switch
; complete infinite: violated, 2 switches
; complete zero: violated, 2 switches
(shared [top 1] [next1 2] [in2 true])
( ( [a1 (t := top)] [a2 (n := next1)] [a3 (assume (= top t) (top := n))] [a4 (assert (or (!= top 2) in2))] bot )
  ( [b1 (assume (= top 1) (top := 2))] [b2 (assume (= top 2) (top := 0) (in2 := false))] [b3 (assume true (next1 := top) (top := 1))] bot ) )
( (a1 bot) (a2 bot) (b1 bot) (b2 bot) (b3 bot) (a3 bot) (a4 bot) )
( (b1 bot) (b2 bot) (a1 bot) (a2 bot) (a3 bot) (a4 bot) )
