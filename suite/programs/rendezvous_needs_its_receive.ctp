; With zero buffering S1 is sent behind the wait for S0.  If it is R0 that takes S0, all that is behind R1's wait, so R1 cannot get
; S1 but U; if it is R3, R1 can.  With infinite buffering it can in any case.
( ( [00 (sndi S0 0 1 1)] [01 (wait S0)] [02 (sndi S1 0 2 2)] bot )
  ( [10 (rcvi R3 1 v)] [11 (wait R3)] [12 (rcvi R1 2 x)] [13 (wait R1)] [14 (rcvi R0 1 y)] [15 (wait R0)]
    [16 (rcvi R2 2 z)] [17 (wait R2)] [18 (assert (not (and (= v 4) (= x 2))))] bot )
  ( [20 (sndi U 3 2 3)] bot )
  ( [30 (sndi V 4 1 4)] bot ) )
