; Erratum E31: op(v_l, v_r) has no value for a zero divisor, so no run completes here; an encoding that
; leaves (div 1 0) to SMT-LIB, where it is any integer, is SAT.
; expect infinite: error entry 3 at 02: division by zero
; expect zero: error entry 3 at 02: division by zero
; check infinite: vacuous, fault
; check zero: vacuous, fault
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (assert (= (div 1 x) 1))] bot )
  ( [10 (sndi s1 1 0 0)] bot ) )

( (00 bot) (10 bot) (01 ((0 1) bot)) (02 bot) )
