// What depends on time: `times WHAT WRONG` lets a call of rank 0 find what time gives it, and aborts if that is the
// number WRONG. Ranks 1 and 2 send a message each, and rank 0 receives both.
//
//   waitany, testany      which of two receives; of testany, 2 if none is complete
//   waitsome, testsome    which of them, as bits: 1, 2 or 3, and of testsome 0
//   test, testall         0 or 1, as the flag says
//   loop                  0 if the first test of a loop succeeds, and 1 if a later one does
//   patience              how often at most two tests failed
//   iprobe, improbe       0 or 1, as the flag says
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char const* what;
static int is(char const* word) { return strcmp(what, word) == 0; }

static int mask(int n, int const at[]) {
    int bits = 0;
    for (int i = 0; n != MPI_UNDEFINED && i < n; ++i) bits |= 1 << at[i];
    return bits;
}

static int found_by_probe(void) {
    int flag = 0, a = 0;
    MPI_Message m;
    MPI_Status s;
    if (is("iprobe"))
        MPI_Iprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &s);
    else
        MPI_Improbe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &m, &s);
    if (flag && is("improbe"))
        MPI_Mrecv(&a, 1, MPI_INT, &m, &s);
    else
        MPI_Recv(&a, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
    MPI_Recv(&a, 1, MPI_INT, 2, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
    return flag;
}

static int found(void) {
    int flag = 0, n = 0, which = 0, at[2] = {0, 0}, got[2] = {0, 0};
    MPI_Request q[2];
    MPI_Status s[2];
    if (is("iprobe") || is("improbe")) return found_by_probe();
    for (int i = 0; i < 2; ++i) MPI_Irecv(&got[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &q[i]);
    int result = 0;
    if (is("waitany")) {
        MPI_Waitany(2, q, &result, s);
    } else if (is("waitsome")) {
        MPI_Waitsome(2, q, &n, at, s);
        result = mask(n, at);
    } else if (is("testsome")) {
        MPI_Testsome(2, q, &n, at, s);
        result = mask(n, at);
    } else if (is("testany")) {
        MPI_Testany(2, q, &which, &flag, s);
        result = flag ? which : 2;
    } else if (is("testall")) {
        MPI_Testall(2, q, &result, s);
    } else if (is("test")) {
        MPI_Test(&q[0], &result, s);
    } else if (is("loop")) {
        for (n = 0; !flag; ++n) MPI_Test(&q[0], &flag, s);
        result = n > 1;
    } else if (is("patience")) {
        for (result = 0; result < 2 && !flag; result += !flag) MPI_Test(&q[0], &flag, s);
    }
    MPI_Waitall(2, q, s);
    if (got[0] != 1 || got[1] != 2) abort();
    return result;
}

int main(int argc, char** argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    what = argv[1];
    if (rank == 0 && found() == atoi(argv[2])) {
        fprintf(stderr, "%s found %s\n", what, argv[2]);
        abort();
    }
    if (is("loop")) usleep(20000); // so that the loop goes round often
    if (rank == 1 || rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
