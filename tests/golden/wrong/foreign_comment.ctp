( ( [00 (x := 1)] // the first
    [01 (y := 2)] bot ) )
