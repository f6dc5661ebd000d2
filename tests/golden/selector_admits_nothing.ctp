( ( [00 (rcvi R 0 x (from 1) (tag 4))] [01 (wait R)] bot )
  ( [10 (sndi S 1 0 5 (tag 3))] bot ) )
