; Two channels of two messages each, and two receives: a message with another one behind it in its channel need not be received.
; Only if both come from endpoint 2 the assertion fails.
( ( [00 (rcvi R0 0 x)] [01 (wait R0)] [02 (rcvi R1 0 y)] [03 (wait R1)] [04 (assert (< (+ x y) 7))] bot )
  ( [10 (sndi S0 1 0 1)] [11 (sndi S1 1 0 2)] bot )
  ( [20 (sndi S2 2 0 3)] [21 (sndi S3 2 0 4)] bot ) )
