; A synchronous message that nobody receives is the first one at endpoint 1. A sample took the ordinary one behind it for held up, too,
; ended, and `check --limit 1` stopped with an internal error.
; check infinite: vacuous, deadlock
; check infinite --limit 1: vacuous, deadlock
; check zero: vacuous, deadlock
; check zero --limit 1: vacuous, deadlock
( ( [00 (ssndi S0 0 1 0)] [01 (wait S0)] [02 (rcvi R0 0 x)] [03 (rcvi R1 0 x (tag 0))] [04 (wait R1)] bot )
  ( [10 (sndi S1 1 1 0)] [11 (sndi S2 1 0 true)] bot ) )
