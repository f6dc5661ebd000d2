( ( [1 (rcvi R 0 x)] [2 (wait R)] [3 (assert x)] bot )
  ( [14 (sndi S 1 0 4)] [15 (wait S)] bot ) )
