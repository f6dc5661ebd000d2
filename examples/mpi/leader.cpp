// Leader election on a ring (Chang and Roberts): every rank sends its number round, and passes on larger ones.
//
// Truth: the largest number wins, under every buffering.
// verify -n 3: nothing
#include <mpi.h>

#include <matchpoint/mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int const next = (rank + 1) % size;
    int const previous = (rank + size - 1) % size;
    matchpoint::value<int> largest = rank, heard;
    for (int round = 1; round < size; ++round) {
        MPI_Request request;
        MPI_Irecv(&heard, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, &request);
        MPI_Send(&largest, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (heard > largest) largest = heard;
    }
    MATCHPOINT_ASSERT(largest == size - 1);
    MPI_Finalize();
}
