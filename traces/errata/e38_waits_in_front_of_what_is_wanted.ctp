; Erratum E38: thread 0 wants the message with tag 2 first.  S0 is in front of S1 in their channel, and its receive is posted only
; when S1 has come.  If only the oldest message of a channel could move, and only to a receive that admits it, neither would ever
; move: a deadlock under either buffering.  In MPI both complete: a receive takes the first message that it admits.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; matches infinite 1: R0 = S1, R1 = S0
; matches zero 1: R0 = S1, R1 = S0
( ( [00 (rcvi R0 0 x (tag 2))] [01 (wait R0)] [02 (rcvi R1 0 y (tag 1))] [03 (wait R1)] bot )
  ( [10 (ssndi S0 1 0 1 (tag 1))] [11 (sndi S1 1 0 2 (tag 2))] [12 (wait S0)] [13 (wait S1)] bot ) )

( (00 bot) (10 bot) (11 bot) (01 ((0 1) bot)) (02 bot) (03 ((0 1) bot)) (12 bot) (13 bot) )
