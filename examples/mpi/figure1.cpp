// Figure 1 of "Proving MCAPI Executions are Correct" in MPI. Rank 0 takes two messages from anybody and believes that
// the first is rank 2's.
//
// Truth: the assertion fails if the message of rank 1 comes first.
// verify -n 3: failure
#include <mpi.h>

#include <matchpoint/mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    matchpoint::value<int> a, b, c;
    if (rank == 0) {
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (b > 0) MATCHPOINT_ASSERT(a == 4);
    } else if (rank == 1) {
        MPI_Recv(&c, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        b = 1;
        MPI_Send(&b, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        a = 4;
        c = 7; // "go"
        MPI_Send(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&c, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
