; What thread 0 passes on depends on the order in which it gets two messages; it gets both, whatever the order is.  The second race, of
; thread 1, comes before that counts.
( ( [00 (rcvi R0 0 x)] [01 (wait R0)] [02 (rcvi R4 0 y)] [03 (wait R4)] [04 (sndi S0 0 1 x)] bot )
  ( [10 (rcvi R1 2 a)] [11 (wait R1)] [12 (rcvi R2 2 b)] [13 (wait R2)] [14 (rcvi R3 1 c)] [15 (wait R3)]
    [16 (assert (not (and (= c 2) (= a 4))))] bot )
  ( [20 (sndi S1 3 0 1)] bot )
  ( [30 (sndi S2 4 0 2)] bot )
  ( [40 (sndi S3 5 2 3)] bot )
  ( [50 (sndi S4 6 2 4)] bot ) )
