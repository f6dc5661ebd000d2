// A message travels between two ranks and back: mpi_pingpong ROUNDS INTEGERS. Rank 0 prints the seconds of a round.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
    int const rounds = atoi(argv[1]);
    int const size = atoi(argv[2]);
    int* const message = calloc((size_t)size, sizeof *message);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double const begin = MPI_Wtime();
    for (int i = 0; i < rounds; ++i) {
        if (rank == 0) MPI_Send(message, size, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(message, size, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(message, size, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("%.9f\n", (MPI_Wtime() - begin) / rounds);
    free(message);
    MPI_Finalize();
    return 0;
}
