// A server tells requests from replies by their tags, and one client mixes them up.
//
// Truth: the server receives any tag where it means a request. If the reply that rank 2 sends comes first, rank 1 waits
// for ever.
// verify -n 3: deadlock
#include <mpi.h>

enum { request = 1, reply = 2 };

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, data = 0;
    MPI_Status status;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == request) MPI_Send(&data, 1, MPI_INT, status.MPI_SOURCE, reply, MPI_COMM_WORLD);
        MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, reply, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, request, MPI_COMM_WORLD);
        MPI_Recv(&data, 1, MPI_INT, 0, reply, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Send(&rank, 1, MPI_INT, 0, reply, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
