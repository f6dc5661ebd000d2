// What an MPI program says about its values for `matchpoint mpi` to check:
//
//   matchpoint::value<int> a;
//   MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
//   MATCHPOINT_ASSERT(a == 4);
#pragma once

#include "values.h"
