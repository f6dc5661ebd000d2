// How runs end: `ends WHAT` with two ranks, "any", "takes" and "both" with three.
//
//   truncate, waitall, rank, root, type, copy    rank 0 makes an error that MPI ends it for; of copy, in a duplicate of
//                                                MPI_COMM_WORLD, and of type, in a call that nobody records
//   returned, handled                            the same as truncate, and the program goes on
//   leaves, exits, aborts                        rank 0 does not come to MPI_Finalize, and rank 1 waits for it
//   takes, looks                                 stuck in several runs; if sends wait for their receives
//   both                                         stuck if sends wait, and if rank 0 takes the message of rank 2 first
//   lock                                         a window is still locked at the end
//   any                                          stuck if the receive from anybody takes the message of rank 1
//   test, testany, iprobe, waitsome              rank 0 waits for what rank 1 would send later: in a loop of tests,
//                                                but for waitsome
//   busy                                         the same, but the loop ends
//   create, fence, start, complete, unlock       a rank waits in a call for windows for what another one never does
//   twice                                        rank 0 begins an epoch twice, and rank 1 waits for the end of one
//   holds                                        rank 1 waits for a lock that rank 0 holds for a while
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
static char const* what;
static int is(char const* word) { return strcmp(what, word) == 0; }

static int two[2] = {1, 2};
static MPI_Request q[2];
static MPI_Status s[2];

static void handle(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    printf("handled %d\n", *code != MPI_SUCCESS);
}

static void make_error(int rank) {
    MPI_Comm copy;
    MPI_Errhandler handler;
    int a = 0, other = 0;
    if (is("returned")) MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    if (is("handled")) {
        MPI_Comm_create_errhandler(handle, &handler);
        MPI_Comm_set_errhandler(WORLD, handler);
    }
    MPI_Comm_dup(WORLD, &copy);
    if (is("root")) MPI_Bcast(&a, 1, MPI_INT, -1 + 2 * rank, WORLD);
    if (rank == 1) {
        MPI_Send(two, 2, MPI_INT, 0, 0, WORLD);
        MPI_Recv(&a, 1, MPI_INT, 0, 1, WORLD, s);
        return;
    }
    if (is("rank")) MPI_Send(&a, 1, MPI_INT, 99, 0, WORLD);
    if (is("copy")) MPI_Send(&a, 1, MPI_INT, 99, 0, copy);
    if (is("type")) MPI_Type_size(MPI_DATATYPE_NULL, &a);
    if (is("waitall")) {
        MPI_Irecv(&other, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &q[1]);
        MPI_Irecv(&a, 1, MPI_INT, 1, 0, WORLD, &q[0]);
        MPI_Send(two, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    MPI_Recv(&a, 1, MPI_INT, 1, 0, WORLD, s);
    MPI_Send(&a, 1, MPI_INT, 1, 1, WORLD);
}

static void leave(void) {
    fprintf(stderr, "%s", is("exits") ? "no input\n" : "");
    if (is("aborts")) MPI_Abort(WORLD, 3);
    if (is("exits")) exit(3);
}

/// Rank 2 is late: the message of rank 1 comes first, unless it is held back.
static void any(int rank) {
    int a = 0;
    if (rank == 0) {
        MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, q);
        MPI_Recv(&a, 1, MPI_INT, 1, 0, WORLD, s);
        MPI_Send(&a, 1, MPI_INT, 1, 0, WORLD);
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, s);
        MPI_Wait(q, s);
    } else {
        usleep(rank == 2 ? 0 : 200000);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
        if (rank == 1) MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, s);
        if (rank == 1) MPI_Send(&a, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Barrier(WORLD);
}

static void look(void) {
    int a[2], flag = 0, n = 0, at[2];
    if (!is("iprobe"))
        for (int i = 0; i < 2; ++i) MPI_Irecv(&a[i], 1, MPI_INT, 1, i, WORLD, &q[i]);
    if (is("waitsome")) MPI_Waitsome(2, q, &n, at, s);
    for (int i = 0; !flag && (!is("busy") || i < 40); ++i) {
        if (is("iprobe"))
            MPI_Iprobe(MPI_ANY_SOURCE, 0, WORLD, &flag, s);
        else if (is("testany"))
            MPI_Testany(2, q, &n, &flag, s);
        else
            MPI_Test(&q[0], &flag, s);
        if (is("busy")) usleep(50000);
    }
    MPI_Send(a, 1, MPI_INT, 1, 0, WORLD);
    MPI_Waitall(2, q, s);
}

static void answer(void) {
    int a;
    MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, s);
    for (int i = 0; i < 2; ++i) MPI_Send(&a, 1, MPI_INT, 0, i, WORLD);
}

static void synchronise(int rank) {
    static int memory[4], one = 1;
    int const other = 1 - rank;
    MPI_Group all, group;
    MPI_Win w;
    MPI_Comm_group(WORLD, &all);
    MPI_Group_incl(all, 1, &other, &group);
    if (is("create") && rank == 1) MPI_Recv(&one, 1, MPI_INT, 0, 0, WORLD, s);
    MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, WORLD, &w);
    if (is("start") || is("complete") || is("twice")) {
        if (rank == 1 && !is("start")) MPI_Win_post(group, 0, w);
        if (rank == 0) MPI_Win_start(group, 0, w);
        if (rank == 0 && is("twice")) MPI_Win_start(group, 0, w); // again
        if (rank == 1 && !is("start")) MPI_Win_wait(w);
        MPI_Barrier(WORLD); // posted
        if (rank == 0) MPI_Win_complete(w);
    }
    if (is("unlock") || is("holds")) {
        if (rank == 0) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, w);
        if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, w);
        if (rank == 0) MPI_Win_flush(1, w);
        MPI_Barrier(WORLD); // locked
        if (rank == 1) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, w);
        if (rank == 1) MPI_Win_unlock(1, w);
        if (is("unlock")) MPI_Barrier(WORLD); // unlocked
        if (rank == 0 && is("holds")) usleep(1500000);
        if (rank == 0) MPI_Win_unlock(1, w);
    }
    if (is("fence")) {
        MPI_Win_fence(0, w);
        if (rank == 0) MPI_Win_fence(0, w); // alone
        MPI_Barrier(WORLD);                 // all
    }
    MPI_Group_free(&all);
    MPI_Group_free(&group);
    MPI_Win_free(&w);
}

/// A collective call that needs nobody. Open MPI lets it wait for all ranks.
static void disconnect(int rank) {
    int a = 0;
    MPI_Comm same;
    MPI_Comm_dup(WORLD, &same);
    if (rank == 1) MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&same);
    if (rank == 0) MPI_Send(&a, 1, MPI_INT, 1, 0, WORLD);
}

/// The deadlock of `any` where rank 0 posts a receive from any rank first: one bug, whichever message it took.
static void takes(int rank) {
    int x = 0, y = 0;
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, q);
        MPI_Recv(&y, 1, MPI_INT, 1, 0, WORLD, s); // from rank 1
        MPI_Send(&y, 1, MPI_INT, 1, 0, WORLD);
        MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, s);
        MPI_Wait(q, s);
    } else {
        if (rank == 2) usleep(100000);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
        if (rank == 1) MPI_Recv(&y, 1, MPI_INT, 0, 0, WORLD, s);
        if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Barrier(WORLD);
}

/// Both messages are looked for before the first is received.
static void looks_twice(int rank) {
    int x = 0;
    for (int tag = 1; tag < 3 && rank == 0; ++tag) MPI_Send(&x, 1, MPI_INT, 1, tag, WORLD);
    for (int tag = 1; tag < 3 && rank == 1; ++tag) MPI_Probe(0, tag, WORLD, s);
    for (int tag = 1; tag < 3 && rank == 1; ++tag) MPI_Recv(&x, 1, MPI_INT, 0, tag, WORLD, s);
}

/// Whether ranks 1 and 2 get stuck is up to the library. What rank 0 waits for if rank 2 comes first, nobody sends.
static void two_bugs(int rank) {
    int x = rank, y = 0;
    if (rank != 0) {
        MPI_Send(&x, 1, MPI_INT, 3 - rank, 1, WORLD);
        MPI_Recv(&y, 1, MPI_INT, 3 - rank, 1, WORLD, s);
        if (rank == 2) usleep(100000);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    } else {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, s);
        MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, s);
        if (x == 2) MPI_Recv(&y, 1, MPI_INT, 1, 9, WORLD, s); // nobody sends
    }
}

/// A window that is locked at the end.
static void leaves_lock(int rank) {
    static int memory[1], one = 1;
    MPI_Win w;
    MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, WORLD, &w);
    MPI_Win_lock_all(0, w);
    if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, w);
    MPI_Barrier(WORLD);
}

/// Each sends more than a library buffers, and would then receive.
static void head_to_head(int rank) {
    static int sent[1 << 20], got[1 << 20];
    MPI_Send(sent, 1 << 20, MPI_INT, 1 - rank, 0, WORLD); // head to head
    MPI_Recv(got, 1 << 20, MPI_INT, 1 - rank, 0, WORLD, s);
}

/// The detach of a buffer may have to wait for the receive of the message in it. The second rank receives it second, or
/// first.
static void detach(int rank, int is_first) {
    static char space[MPI_BSEND_OVERHEAD + 64];
    int a = 1, size = 0;
    void* buffer = NULL;
    if (rank == 0) {
        MPI_Buffer_attach(space, sizeof space);
        MPI_Bsend(&a, 1, MPI_INT, 1, 1, WORLD); // buffered
        MPI_Buffer_detach(&buffer, &size);
        MPI_Send(&a, 1, MPI_INT, 1, 2, WORLD);
    } else {
        MPI_Recv(&a, 1, MPI_INT, 0, 2 - is_first, WORLD, s);
        MPI_Recv(&a, 1, MPI_INT, 0, 1 + is_first, WORLD, s);
    }
}

/// Waits in a call of which there is a finding.
static void overlap(int rank) {
    int a = 1, b = 0;
    MPI_Request q;
    if (rank == 0) {
        MPI_Irecv(&b, 1, MPI_INT, 1, 0, WORLD, &q);
        MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, WORLD); // overlaps
    } else {
        MPI_Recv(&b, 1, MPI_INT, 0, 0, WORLD, s);
    }
}

/// Two collectives that do not match; a ready send whose receive comes late.
static void at_fault(int rank) {
    int a = 1, b = 0;
    if (is("mismatch"))
        rank == 0 ? MPI_Bcast(&a, 1, MPI_INT, 0, WORLD) : MPI_Reduce(&a, &b, 1, MPI_INT, MPI_SUM, 1, WORLD);
    else if (rank == 0)
        MPI_Rsend(&a, 1, MPI_INT, 1, 0, WORLD);
    else {
        usleep(300000);
        MPI_Recv(&b, 1, MPI_INT, 0, 0, WORLD, s);
    }
}

int main(int argc, char** argv) {
    int rank = 0, a = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    what = argv[1];
    if (is("leaves") || is("exits") || is("aborts")) {
        if (rank == 1) MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, s);
        usleep(300000); // the other one waits by then
        leave();
        return 0;
    }
    if (is("any"))
        any(rank);
    else if (is("takes"))
        takes(rank);
    else if (is("both"))
        two_bugs(rank);
    else if (is("looks"))
        looks_twice(rank);
    else if (is("lock"))
        leaves_lock(rank);
    else if (is("test") || is("testany") || is("iprobe") || is("waitsome") || is("busy"))
        rank == 0 ? look() : answer();
    else if (is("create") || is("fence") || is("start") || is("complete") || is("unlock") || is("twice") || is("holds"))
        synchronise(rank);
    else if (is("disconnect"))
        disconnect(rank);
    else if (is("heads"))
        head_to_head(rank);
    else if (is("detach") || is("detach, first"))
        detach(rank, is("detach, first"));
    else if (is("overlap"))
        overlap(rank);
    else if (is("mismatch") || is("ready"))
        at_fault(rank);
    else
        make_error(rank);
    MPI_Finalize();
    return 0;
}
