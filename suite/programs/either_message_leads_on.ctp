; R gets S1, which is sent behind the wait for r, or S2.  So the wait for r is not behind all that R's wait is behind: r can get s
; if R gets S2, and that if Q gets H.  All of this lies on cycles of what could be matched.
( ( [00 (rcvi r 0 x)] [01 (wait r)] [02 (sndi S1 0 1 1)] [03 (assert (!= x 2))] bot )
  ( [10 (rcvi R 1 y)] [11 (wait R)] [12 (sndi s 1 0 2)] [13 (sndi t 1 2 3)] bot )
  ( [20 (rcvi Q 2 z)] [21 (wait Q)] [22 (sndi S2 2 1 4)] bot )
  ( [30 (sndi h 3 0 5)] [31 (sndi H 3 2 6)] bot ) )
