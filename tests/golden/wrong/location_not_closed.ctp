( ( [1 (rcvi R 0 x)] [2 (wait R) bot )
  ( [3 (sndi S 1 0 4)] [4 (wait S)] bot ) )
