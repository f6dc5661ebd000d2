( ( [00 (a := "ready")] bot ) )
