( ( [start (sndi s 0 1 5 strat)] bot ) )
