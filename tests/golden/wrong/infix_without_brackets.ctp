( ( [00 (a := 1)] [01 (b := 2)] [02 (assert a < b)] bot ) )
