( ( [00 (x := 1))
    [01 (assert (= x 1)] bot ) )
