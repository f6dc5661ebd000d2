// The heat equation on a rod: every rank has a piece, and exchanges its ends with its neighbours.
//
// Truth: the exchange by MPI_Sendrecv is right under every buffering.
// verify -n 3: nothing
// With `head-to-head` every rank sends before it receives: that hangs if the library does not buffer the messages.
// verify -n 3 head-to-head: buffering
#include <mpi.h>
#include <string.h>

enum { cells = 8, steps = 2 };

static void exchange(double* u, int left, int right, int head_to_head) {
    if (head_to_head) {
        MPI_Send(&u[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD);
        MPI_Send(&u[cells], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
        MPI_Recv(&u[cells + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[cells + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[cells], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int const head_to_head = argc > 1 && strcmp(argv[1], "head-to-head") == 0;
    double u[cells + 2] = {0}, next[cells + 2] = {0};
    for (int i = 1; i <= cells; ++i) u[i] = rank * cells + i;
    for (int step = 0; step < steps; ++step) {
        exchange(u, (rank + size - 1) % size, (rank + 1) % size, head_to_head); // the rod is a ring
        for (int i = 1; i <= cells; ++i) next[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        memcpy(&u[1], &next[1], cells * sizeof(double));
    }
    double heat = 0, all = 0;
    for (int i = 1; i <= cells; ++i) heat += u[i];
    MPI_Reduce(&heat, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
