// Ranks draw tickets: MPI_Fetch_and_op adds 1 to a counter of rank 0, and each rank tells rank 0 its ticket by a put
// into an element of its own.
//
// Truth: nothing goes wrong, and no two accesses race: remote atomics do not, and a flush and a barrier are between all
// others.
//
//   mpicc -g -Irecord/values examples/mpi/counter.c -o counter
//   matchpoint mpi record -o run.rma -- mpirun -n 2 ./counter
//   matchpoint rma check --races run.rma
//
// windows -n 2: safe, race: no
// windows -n 2 -DEARLY: safe, race: yes
#include <matchpoint/mpi.h>
#include <mpi.h>

enum { counter, first };

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, memory[1 + 8] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    int const one = 1;
    int ticket = -1;
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, counter, MPI_SUM, window);
#ifndef EARLY
    MPI_Win_flush(0, window);
#endif
    if (rank != 0) MPI_Put(&ticket, 1, MPI_INT, 0, first + rank, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
