( ( [00 (rcvi R 0 x (src 1))] [01 (wait R)] bot )
  ( [10 (sndi S 1 0 5)] bot ) )
