( ( [00 (rcvi r 0 x)] [01 (rcvi r 0 y)] [02 (wait r)] bot ) )
