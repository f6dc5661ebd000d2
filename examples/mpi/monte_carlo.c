// Pi by a pool of workers: rank 0 adds up what comes, from anybody.
//
// Truth: nothing goes wrong; the sum does not depend on the order.
// verify -n 4: nothing
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    enum { points = 1000 };
    if (rank == 0) {
        long inside = 0;
        for (int i = 1; i < size; ++i) {
            long some = 0;
            MPI_Recv(&some, 1, MPI_LONG, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            inside += some;
        }
        if (inside < 0 || inside > (long)points * (size - 1)) MPI_Abort(MPI_COMM_WORLD, 2);
    } else {
        long inside = 0;
        unsigned seed = (unsigned)rank;
        for (int i = 0; i < points; ++i) {
            double const x = rand_r(&seed) / (double)RAND_MAX;
            double const y = rand_r(&seed) / (double)RAND_MAX;
            inside += x * x + y * y <= 1;
        }
        MPI_Send(&inside, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
