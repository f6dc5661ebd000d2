// Ranks that do something else in a replay than in the recorded run: `leaves HOW` with three ranks. In the recorded run
// the receive of rank 0 takes the message of rank 2. In a replay that comes only when rank 0 has got that of rank 1: so
// rank 0 has to let the receive take another message than the recorded one, wherever it is.
//
//   wait, test, testany        it waits for the receive, or tests in a loop
//   iprobe, probe              it looks for another message of rank 1, which in a replay comes after the first one
//   send, exchange, barrier    it is in another call, which rank 1 makes, in a replay after its first send
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
#define IGNORED MPI_STATUS_IGNORE
static char const* how;
static int is(char const* word) { return strcmp(how, word) == 0; }

static int a, b, c, flag, at;
static MPI_Request q;

/// Of ranks 0 and 1, while rank 0 has a receive.
static void go_on(int rank) {
    int const other = 1 - rank;
    if ((is("iprobe") || is("probe")) && rank == 1) MPI_Send(&a, 1, MPI_INT, 0, 3, WORLD);
    while (is("iprobe") && rank == 0 && !flag) MPI_Iprobe(1, 3, WORLD, &flag, IGNORED);
    if (is("probe") && rank == 0) MPI_Probe(1, 3, WORLD, IGNORED);
    if ((is("iprobe") || is("probe")) && rank == 0) MPI_Recv(&c, 1, MPI_INT, 1, 3, WORLD, IGNORED);
    if (is("send") && rank == 0) MPI_Ssend(&a, 1, MPI_INT, 1, 3, WORLD);
    if (is("send") && rank == 1) MPI_Recv(&b, 1, MPI_INT, 0, 3, WORLD, IGNORED);
    if (is("exchange")) MPI_Sendrecv(&a, 1, MPI_INT, other, 3, &c, 1, MPI_INT, other, 3, WORLD, IGNORED);
    if (is("barrier")) MPI_Barrier(WORLD);
    if (rank == 1) return;
    while (is("test") && !flag) MPI_Test(&q, &flag, IGNORED);
    while (is("testany") && !flag) MPI_Testany(1, &q, &at, &flag, IGNORED);
}

int main(int argc, char** argv) {
    int rank;
    how = argv[1];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    int const leaves = getenv("MATCHPOINT_SCHEDULE") != NULL;
    if (rank == 0) {
        MPI_Irecv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &q);
        go_on(0);
        MPI_Wait(&q, IGNORED);
        MPI_Send(&a, 1, MPI_INT, 2, 9, WORLD);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORED);
    } else if (rank == 1) {
        if (!leaves) go_on(1);
        if (!leaves) MPI_Recv(&b, 1, MPI_INT, 2, 4, WORLD, IGNORED); // rank 2 has sent its message
        MPI_Ssend(&a, 1, MPI_INT, 0, 0, WORLD);
        if (leaves) go_on(1);
    } else {
        if (!leaves) MPI_Ssend(&a, 1, MPI_INT, 0, 0, WORLD);
        if (!leaves) MPI_Send(&a, 1, MPI_INT, 1, 4, WORLD);
        if (is("barrier")) MPI_Barrier(WORLD);
        MPI_Recv(&b, 1, MPI_INT, 0, 9, WORLD, IGNORED);
        if (leaves) MPI_Ssend(&a, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
    return 0;
}
