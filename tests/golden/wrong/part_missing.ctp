( ( [00 (sndi s 0 1)] bot ) )
