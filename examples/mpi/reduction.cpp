// A reduction by hand: rank 0 doubles what it has and adds what comes, from anybody. That is not commutative.
//
// Truth: the result depends on the order: 2 * (2 * 0 + 1) + 2 is not 2 * (2 * 0 + 2) + 1.
// verify -n 3: failure
#include <mpi.h>

#include <matchpoint/mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    matchpoint::value<int> mine = rank, result = 0;
    if (rank == 0) {
        for (int i = 1; i < size; ++i) {
            matchpoint::value<int> next;
            MPI_Recv(&next, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            result = 2 * result + next;
        }
        MATCHPOINT_ASSERT(result == 4);
    } else {
        MPI_Send(&mine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
