( ( [00 (a := 1)] [01 (b := 2)] [02 (assert (= (max a b) 2))] bot ) )
