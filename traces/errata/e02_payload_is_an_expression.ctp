; Erratum E2: the rule for sndi has a variable where the syntax has an expression.  By the paper's letter neither the constant 4
; nor the sum at 11 could be sent; here the expression is evaluated first.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 4, y = 9
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (rcvi r2 0 y)] [03 (wait r2)] bot )
  ( [10 (sndi s1 1 0 4)] [11 (sndi s2 1 0 (+ 4 5))] bot ) )

( (10 bot) (11 bot) (00 bot) (01 ((0 1) bot)) (02 bot) (03 ((0 1) bot)) )
