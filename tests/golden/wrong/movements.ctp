( ( [00 (rcvi r 0 x)] [01 (wait r)] bot )
  ( [10 (sndi s 1 0 5)] bot ) )
( (00 bot) (10 bot) (01 (0 1)) )
