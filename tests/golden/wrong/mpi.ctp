( ( [1 (rcvi R 0 x)] [2 (MPI_Wait R)] bot ) )
