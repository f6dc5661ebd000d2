// Every rank sends a packet to each other rank, through all of them at once, and takes what comes.
//
// Truth: nothing goes wrong: every packet is taken, in any order.
// verify -n 3: nothing
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    enum { most = 32 };
    MPI_Request requests[2 * most] = {0};
    int packets[most], n = 0;
    if (size > most) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int to = 0; to < size; ++to)
        if (to != rank) MPI_Isend(&rank, 1, MPI_INT, to, 0, MPI_COMM_WORLD, &requests[n++]);
    for (int i = 0; i + 1 < size; ++i)
        MPI_Irecv(&packets[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[n++]);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
