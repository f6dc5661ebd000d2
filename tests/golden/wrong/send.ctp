( ( [00 (send s 0 1 5)] bot ) )
