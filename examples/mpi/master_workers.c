// A master hands out tasks: a worker that asks gets the next one, in an answer to the rank that the status names.
//
// Truth: every order of the workers is right.
// verify -n 3: nothing
// With `stop-early` the master stops one worker twice, and another one never if the last result comes from an unlucky
// rank. verify -n 3 stop-early: deadlock
#include <mpi.h>
#include <string.h>

enum { tasks = 2, work, stop };

static void master(int workers, int stops_early) {
    int sent = 0, result = 0, last = 1;
    MPI_Status status;
    for (int busy = workers; busy > 0;) {
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        int const more = sent < tasks;
        int to = status.MPI_SOURCE;
        if (!more && stops_early) to = last % workers + 1;
        MPI_Send(&sent, 1, MPI_INT, to, more ? work : stop, MPI_COMM_WORLD);
        if (more)
            ++sent;
        else
            --busy;
        last = status.MPI_SOURCE;
    }
}

static void worker(void) {
    int task = 0;
    MPI_Status status;
    do {
        MPI_Send(&task, 1, MPI_INT, 0, work, MPI_COMM_WORLD);
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    } while (status.MPI_TAG == work);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        master(size - 1, argc > 1 && strcmp(argv[1], "stop-early") == 0);
    else
        worker();
    MPI_Finalize();
    return 0;
}
