// Programs that are right, and that the recorder once harmed. The arguments say which: `messages` is all that can be
// recorded, the others what can not. Two ranks.
#include <assert.h>
#include <mpi.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
static int rank, size, in[4], out[2] = {1, 2};
static MPI_Request q[4];
static MPI_Status s[4];

/// The ends of a line have no neighbours. Requests that are complete at once have the same handle, and each of them was
/// taken for the send that was recorded.
static void halo(void) {
    int const left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    int const right = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    for (int i = 0; i < 2; ++i) {
        MPI_Irecv(&in[i], 1, MPI_INT, i == 0 ? left : right, 0, WORLD, &q[i]);
        MPI_Isend(&out[i], 1, MPI_INT, i == 0 ? left : right, 0, WORLD, &q[2 + i]);
    }
    MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
}

/// The same with a send first, and statuses.
static void send_and_nobody(void) {
    if (rank == 0) MPI_Recv(in, 1, MPI_INT, 1, 0, WORLD, s);
    if (rank == 0) return;
    MPI_Isend(out, 1, MPI_INT, 0, 0, WORLD, &q[0]);
    MPI_Irecv(in, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &q[1]);
    MPI_Waitall(2, q, s);
}

/// The recorder asked for the size of a type that was gone.
static void freed_type(void) {
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0) MPI_Irecv(in, 1, pair, 1, 0, WORLD, q);
    if (rank == 1) MPI_Isend(out, 1, pair, 0, 0, WORLD, q);
    MPI_Type_free(&pair);
    MPI_Wait(q, MPI_STATUS_IGNORE);
}

/// The recorder wrote into the array of indices.
static void empty_arrays(void) {
    int flag, n;
    MPI_Request* none = NULL;
    MPI_Testsome(0, none, &n, NULL, MPI_STATUSES_IGNORE);
    MPI_Waitsome(0, none, &n, NULL, MPI_STATUSES_IGNORE);
    MPI_Testany(0, none, &n, &flag, s);
    MPI_Waitany(0, none, &n, s);
    MPI_Testall(0, none, &flag, MPI_STATUSES_IGNORE);
    MPI_Waitall(0, none, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; ++i) q[i] = MPI_REQUEST_NULL;
    MPI_Waitany(2, q, &n, s);
    MPI_Testany(2, q, &n, &flag, s);
    MPI_Waitsome(2, q, &n, in, MPI_STATUSES_IGNORE);
    MPI_Testsome(2, q, &n, in, MPI_STATUSES_IGNORE);
}

/// The recording could not be read: no rank had sent what the receive got.
static void cancelled(void) {
    MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, q);
    MPI_Cancel(q);
    MPI_Wait(q, MPI_STATUS_IGNORE);
}

/// Nobody receives what is cancelled. `verify` let the send wait for its receive.
static void cancelled_send(void) {
    if (rank == 1) return;
    MPI_Isend(out, 1, MPI_INT, 1, 0, WORLD, &q[0]);
    MPI_Send_init(out, 1, MPI_INT, 1, 1, WORLD, &q[1]);
    MPI_Start(&q[1]);
    for (int i = 0; i < 2; ++i) MPI_Cancel(&q[i]);
    MPI_Waitall(2, q, s);
    MPI_Request_free(&q[1]);
}

/// A server that takes from anybody and cancels at the end: the message may come before, and the assertion fails.
static void cancelled_or_not(void) {
    int was_cancelled = 0;
    MPI_Request sent;
    if (rank == 1) {
        MPI_Isend(out, 1, MPI_INT, 0, 0, WORLD, &sent);
        MPI_Request_free(&sent);
        return;
    }
    MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, q);
    MPI_Cancel(q);
    MPI_Wait(q, s);
    MPI_Test_cancelled(s, &was_cancelled);
    assert(was_cancelled);
}

/// The same, and the program is right: it receives the message later.
static void cancelled_either_way(void) {
    int was_cancelled = 0;
    if (rank == 1) {
        MPI_Send(out, 1, MPI_INT, 0, 0, WORLD);
        return;
    }
    MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, q);
    MPI_Cancel(q);
    MPI_Wait(q, s);
    MPI_Test_cancelled(s, &was_cancelled);
    if (was_cancelled) MPI_Recv(in, 1, MPI_INT, 1, 0, WORLD, s);
}

/// The message has come before, whatever the time: its send waits for the receive.
static void cancelled_too_late(void) {
    int was_cancelled = 0;
    if (rank == 1) {
        MPI_Ssend(out, 1, MPI_INT, 0, 0, WORLD);
        MPI_Send(out, 1, MPI_INT, 0, 1, WORLD);
        return;
    }
    MPI_Recv_init(in, 1, MPI_INT, 1, 0, WORLD, q);
    MPI_Start(q);
    MPI_Recv(in + 1, 1, MPI_INT, 1, 1, WORLD, s);
    MPI_Cancel(q);
    MPI_Wait(q, s);
    MPI_Test_cancelled(s, &was_cancelled);
    assert(!was_cancelled);
    MPI_Request_free(q);
}

/// While the first receive is posted, the second one gets nothing that the first one could get.
static void cancelled_in_front(void) {
    if (rank == 1) {
        MPI_Send(out, 1, MPI_INT, 0, 1, WORLD);
        return;
    }
    MPI_Irecv(in, 1, MPI_INT, 1, 0, WORLD, q);
    MPI_Recv(in + 1, 1, MPI_INT, 1, MPI_ANY_TAG, WORLD, s);
    MPI_Cancel(q);
    MPI_Wait(q, s);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    if (argc == 2 && strcmp(argv[1], "cancelled") == 0) {
        cancelled();
    } else if (argc == 2 && strcmp(argv[1], "cancelled send") == 0) {
        cancelled_send();
    } else if (argc == 2 && strcmp(argv[1], "cancelled or not") == 0) {
        cancelled_or_not();
    } else if (argc == 2 && strcmp(argv[1], "cancelled either way") == 0) {
        cancelled_either_way();
    } else if (argc == 2 && strcmp(argv[1], "cancelled too late") == 0) {
        cancelled_too_late();
    } else if (argc == 2 && strcmp(argv[1], "cancelled in front") == 0) {
        cancelled_in_front();
    } else {
        halo();
        send_and_nobody();
        freed_type();
        empty_arrays();
    }
    MPI_Finalize();
    return 0;
}
