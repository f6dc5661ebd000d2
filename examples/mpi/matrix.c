// A matrix times a vector: the master broadcasts the vector, sends each worker a row, and stores each result where the
// tag says.
//
// Truth: results may come in any order.
// verify -n 3: nothing
// With `by-order` the master stores them in the order in which they come.
// verify -n 3 by-order: failure
#include <assert.h>
#include <mpi.h>
#include <string.h>

enum { n = 2 };

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int const by_order = argc > 1 && strcmp(argv[1], "by-order") == 0;
    int vector[n] = {1, 2};
    MPI_Bcast(vector, n, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        int const matrix[n][n] = {{1, 2}, {3, 4}};
        int result[n] = {0};
        for (int row = 0; row < n; ++row) MPI_Send(matrix[row], n, MPI_INT, row % (size - 1) + 1, row, MPI_COMM_WORLD);
        for (int i = 0; i < n; ++i) {
            int value = 0;
            MPI_Status status;
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            result[by_order ? i : status.MPI_TAG] = value;
        }
        assert(result[0] == 5 && result[1] == 11);
    } else {
        for (int row = rank - 1; row < n; row += size - 1) {
            int values[n], product = 0;
            MPI_Recv(values, n, MPI_INT, 0, row, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < n; ++i) product += values[i] * vector[i];
            MPI_Send(&product, 1, MPI_INT, 0, row, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
