// Sample sort: each rank sorts its numbers, splitters are chosen from samples, and MPI_Alltoallv brings the numbers to
// where they belong.
//
// Truth: collective calls only, nothing can go wrong.
// verify -n 4: nothing
#include <mpi.h>
#include <stdlib.h>

enum { each = 16, most = 16 };

static int less(void const* a, void const* b) { return *(int const*)a - *(int const*)b; }

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > most) MPI_Abort(MPI_COMM_WORLD, 2);
    int mine[each], samples[most];
    unsigned seed = (unsigned)rank + 1;
    for (int i = 0; i < each; ++i) mine[i] = rand_r(&seed) % 1000;
    qsort(mine, each, sizeof(int), less);
    MPI_Gather(&mine[each / 2], 1, MPI_INT, samples, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) qsort(samples, (size_t)size, sizeof(int), less);
    MPI_Bcast(samples, size, MPI_INT, 0, MPI_COMM_WORLD);

    int out[most] = {0}, out_at[most] = {0}, in[most] = {0}, in_at[most] = {0}, sorted[most * each];
    for (int i = 0; i < each; ++i) {
        int to = 0;
        while (to + 1 < size && mine[i] > samples[to]) ++to;
        ++out[to];
    }
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 1; i < size; ++i) {
        out_at[i] = out_at[i - 1] + out[i - 1];
        in_at[i] = in_at[i - 1] + in[i - 1];
    }
    MPI_Alltoallv(mine, out, out_at, MPI_INT, sorted, in, in_at, MPI_INT, MPI_COMM_WORLD);
    qsort(sorted, (size_t)(in_at[size - 1] + in[size - 1]), sizeof(int), less);
    MPI_Finalize();
    return 0;
}
