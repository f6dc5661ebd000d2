( ( [00 (rcvi R 0 x)] [01 (wait R)] bot )
  ( [10 (sndi S 1 0 5 (from 1))] bot ) )
