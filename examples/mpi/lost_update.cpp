// Two ranks add 1 to a number in a window, one after the other: a token says whose turn it is. Rank 0 owns the window.
//
// Truth: rank 1 hands the turn back before its put has arrived, since there is no flush between. Then rank 0 adds to
// the old number, and the sum of rank 1 overwrites it, or the other way round. With -DFLUSH no run goes wrong.
//
//   mpicxx -g -std=c++20 -Irecord/values examples/mpi/lost_update.cpp -o lost_update
//   matchpoint mpi record -o run.rma -- mpirun -n 2 ./lost_update
//   matchpoint rma check run.rma
//
// windows -n 2: violated
// windows -n 2 -DFLUSH: safe
#include <mpi.h>

#include <matchpoint/mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int* number = nullptr;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &number, &window);
    *number = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);

    if (rank == 1) {
        matchpoint::value<int> a;
        MPI_Get(&a, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        a = a + 1;
        MPI_Put(&a, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
#ifdef FLUSH
        MPI_Win_flush(0, window);
#endif
    }
    MPI_Barrier(MPI_COMM_WORLD); // the turn of rank 0
    if (rank == 0) {
        matchpoint::value<int> one = 1, before, after;
        MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, window);
        MPI_Win_flush(0, window);
        MPI_Fetch_and_op(nullptr, &after, MPI_INT, 0, 0, MPI_NO_OP, window);
        MPI_Win_flush(0, window);
        MATCHPOINT_ASSERT(after == 2);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
