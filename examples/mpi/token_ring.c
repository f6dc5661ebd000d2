// A token goes round a ring; rank 0 starts it when somebody wakes it up.
//
// Truth: rank 0 takes any message for its wake-up call. If the token of the last rank is not there yet, all is well; it
// never is, so this is right.
// verify -n 3: nothing
// With `lost` the last rank sends the wake-up call, too: rank 0 may take the second call for the token, and somebody
// waits for ever.
// verify -n 3 lost: failure
#include <assert.h>
#include <mpi.h>
#include <string.h>

enum { wake_up = 1, token = 2 };

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0, message = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int const lost = argc > 1 && strcmp(argv[1], "lost") == 0;
    if (rank == 0) {
        MPI_Recv(&message, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        message = token;
        MPI_Send(&message, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&message, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(message == token);
    } else {
        message = wake_up;
        if (rank == 1 || (lost && rank == size - 1)) MPI_Send(&message, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&message, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&message, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
