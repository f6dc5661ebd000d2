( ( [00 (lock m)] bot ) )
