// A message may cross a barrier: rank 0 posts its receive before the barrier, and rank 2 sends after it.
//
// Truth: rank 0 believes that what was sent before the barrier comes first. It need not.
// verify -n 3: failure
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, first = 0, second = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    if (rank == 0) MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    if (rank == 1) MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    if (rank == 0) MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) assert(first == 1 && second == 2);
    MPI_Finalize();
    return 0;
}
