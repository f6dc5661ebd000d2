; The deadlock needs S1 to be delivered before S0, behind the last command. The solver's model said so, and was called a wrong answer,
; because the replay left these deliveries out.
; check infinite: violated, deadlock
; check zero: violated, deadlock
; check infinite --limit 1 --runs complete --solver cvc5: violated, deadlock
; check infinite --limit 1 --runs complete --solver z3: violated, deadlock
( ( [00 (sndi S0 0 1 0)] bot )
  ( [10 (rcvi R0 1 x)] [11 (rcvi R1 1 x (from 2))] [12 (wait R1)] [13 (assert false)] bot )
  ( [20 (sndi S1 2 1 0)] bot ) )
