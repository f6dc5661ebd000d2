; Assume: its expression is reduced to a value; false makes the run infeasible (a control flow this input does not take), true
; leaves the status alone.  The race decides here: only with n = 5 is the branch n > 3 taken.  One message stays an orphan.
; expect infinite: success (not well-formed); infeasible (not well-formed)
; expect zero: success (not well-formed); infeasible (not well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r 0 n)] [01 (wait r)] [02 (assume (> n 3))] bot )
  ( [10 (sndi s 1 0 5)] bot )
  ( [20 (sndi t 2 0 2)] bot ) )

( (00 bot) (10 bot) (20 bot) (01 ((0 1) bot)) (02 bot) )
( (00 bot) (10 bot) (20 bot) (01 ((0 2) bot)) (02 bot) )
