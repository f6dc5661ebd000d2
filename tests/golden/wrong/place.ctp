( ( [00 (x := 1) (at main.c 12)] bot ) )
