; With infinite buffering S is sent when it is waited for, and R, which comes behind that, gets it.  As far as counting goes
; X could get Z, so all of the first thread may seem to lie on a cycle.  With zero buffering the wait for S never ends.
( ( [00 (rcvi X 0 x)] [01 (wait X)] [02 (sndi S 0 1 1)] [03 (wait S)] [04 (rcvi R 1 y)] [05 (wait R)] [06 (sndi Y 0 2 2)]
    [07 (rcvi W 0 z)] [08 (wait W)] [09 (assert (!= x 4))] bot )
  ( [10 (rcvi B 2 w)] [11 (wait B)] [12 (sndi Z 3 0 3)] bot )
  ( [20 (sndi H 4 0 4)] bot ) )
