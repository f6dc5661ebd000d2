( ( [00 (assert (!= (ite true 0 (mod 0 0)) 0))]
    [01 (assume false)]
    bot ) )
