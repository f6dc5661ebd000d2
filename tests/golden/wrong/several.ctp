( ( [00 (rcv r 0 x)] [01 (wait r)]
    [02 (assert (x == 1))] bot )
  ( [10 (sndi s 1 0)] [11 (wait s, t)] bot ) )
( (00 bot) (10) )
