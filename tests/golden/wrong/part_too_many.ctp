( ( [00 (rcvi r 0 x)] [01 (wait r 0)] bot ) )
