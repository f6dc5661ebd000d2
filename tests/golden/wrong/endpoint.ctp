( ( [00 (rcvi r -1 x)] bot ) )
