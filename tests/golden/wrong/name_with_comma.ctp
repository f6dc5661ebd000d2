( ( [1 (rcvi R, 0 x)] [2 (wait R)] bot ) )
