// The heat equation on a ring, a piece for each rank: mpi_halo STEPS CELLS. Each step exchanges the ends of the pieces,
// without blocking, and computes. Rank 0 prints the seconds of a step.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
    int const steps = atoi(argv[1]);
    int const cells = atoi(argv[2]);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int const left = (rank + size - 1) % size;
    int const right = (rank + 1) % size;
    double* u = calloc((size_t)cells + 2, sizeof *u);
    double* next = calloc((size_t)cells + 2, sizeof *next);
    u[1] = rank + 1;
    MPI_Barrier(MPI_COMM_WORLD);
    double const begin = MPI_Wtime();
    for (int i = 0; i < steps; ++i) {
        MPI_Request q[4];
        MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &q[0]);
        MPI_Irecv(&u[cells + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &q[1]);
        MPI_Isend(&u[cells], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &q[2]);
        MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &q[3]);
        MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
        for (int c = 1; c <= cells; ++c) next[c] = u[c] + 0.25 * (u[c - 1] - 2 * u[c] + u[c + 1]);
        double* const old = u;
        u = next;
        next = old;
    }
    if (rank == 0) printf("%.9f\n", (MPI_Wtime() - begin) / steps);
    free(u);
    free(next);
    MPI_Finalize();
    return 0;
}
