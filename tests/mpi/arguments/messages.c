// Sends, receives and probes.
#include "seen.h"

static void blocking_calls(void) {
    int const none = MPI_PROC_NULL;
    say(" %d", code(MPI_Send(out, 1, MPI_INT, none, tag, WORLD)));
    say("%d", code(MPI_Ssend(NULL, 0, MPI_INT, none, tag, WORLD)));
    say("%d", code(MPI_Bsend(out, 1, MPI_INT, none, tag, WORLD)));
    say("%d", code(MPI_Rsend(out, 1, MPI_INT, none, tag, WORLD)));
    say("%d", code(MPI_Recv(in, 1, MPI_INT, none, tag, WORLD, &s[0])));
    status(&s[0]);
    say("%d", code(MPI_Recv(in, 1, MPI_INT, none, MPI_ANY_TAG, WORLD, MPI_STATUS_IGNORE)));
    say("%d", code(MPI_Sendrecv(out, 1, MPI_INT, none, tag, in, 1, MPI_INT, none, tag, WORLD, &s[0])));
    status(&s[0]);
    // A ring that is open: one sends, the other one receives.
    say("%d", code(MPI_Sendrecv(out, 1, MPI_INT, rank == 0 ? 1 : none, tag, in, 1, MPI_INT, rank == 0 ? none : 0, tag,
                                WORLD, &s[0])));
    status(&s[0]);
    say("%d", code(MPI_Sendrecv_replace(out, 1, MPI_INT, rank == 0 ? 1 : none, tag, rank == 0 ? none : 0, tag, WORLD,
                                        MPI_STATUS_IGNORE)));
    say(" %d", out[0]);
    received(1);
    MPI_Sendrecv(NULL, 0, MPI_INT, other, tag, NULL, 0, MPI_INT, other, tag, WORLD, &s[0]);
    status(&s[0]);
    int const lengths[2] = {1, 1};
    MPI_Aint places[2];
    MPI_Datatype const types[2] = {MPI_INT, MPI_INT};
    MPI_Datatype absolute;
    MPI_Get_address(&out[1], &places[0]), MPI_Get_address(&out[3], &places[1]);
    MPI_Type_create_struct(2, lengths, places, types, &absolute);
    MPI_Type_commit(&absolute);
    if (rank == 0) MPI_Send(MPI_BOTTOM, 1, absolute, 1, tag, WORLD);
    if (rank == 1) MPI_Recv(in, 2, MPI_INT, 0, tag, WORLD, &s[0]);
    if (rank == 1) MPI_Send(out, 2, MPI_INT, 0, tag, WORLD);
    if (rank == 0) MPI_Recv(MPI_BOTTOM, 1, absolute, 1, tag, WORLD, &s[0]);
    status(&s[0]);
    received(2);
    say(" %d %d", out[1], out[3]);
    MPI_Type_free(&absolute);
}

static void probes(void) {
    MPI_Message m = MPI_MESSAGE_NULL;
    for (int ignores = 0; ignores < 2; ++ignores) {
        MPI_Status* const to = ignores ? MPI_STATUS_IGNORE : s;
        say(" %d", code(MPI_Probe(MPI_PROC_NULL, tag, WORLD, to)));
        if (!ignores) status(to);
        say(" %d", code(MPI_Iprobe(MPI_PROC_NULL, tag, WORLD, &flag, to)));
        say("%d", flag);
        if (!ignores) status(to);
        say(" %d", code(MPI_Iprobe(other, tag, WORLD, &flag, to)));
        say("%d", flag);
        say(" %d", code(MPI_Improbe(MPI_PROC_NULL, MPI_ANY_TAG, WORLD, &flag, &m, to)));
        say("%d%d", flag, m == MPI_MESSAGE_NO_PROC);
        if (!ignores) status(to);
        say(" %d", code(MPI_Mrecv(in, 1, MPI_INT, &m, to)));
        say("%d", m == MPI_MESSAGE_NULL);
        if (!ignores) status(to);
        say(" %d", code(MPI_Improbe(other, tag, WORLD, &flag, &m, to)));
        say("%d", flag);
        MPI_Barrier(WORLD);
        for (int i = 0; i < 3; ++i) MPI_Send(out, i, MPI_INT, other, tag, WORLD);
        say(" %d", code(MPI_Probe(MPI_ANY_SOURCE, tag, WORLD, to)));
        if (!ignores) status(to);
        MPI_Recv(in, 0, MPI_INT, other, tag, WORLD, to);
        if (!ignores) status(to);
        do MPI_Iprobe(other, MPI_ANY_TAG, WORLD, &flag, to);
        while (!flag);
        if (!ignores) status(to);
        MPI_Recv(in, 1, MPI_INT, other, tag, WORLD, to);
        do MPI_Improbe(MPI_ANY_SOURCE, tag, WORLD, &flag, &m, to);
        while (!flag);
        if (!ignores) status(to);
        say(" %d", code(MPI_Mrecv(in, 2, MPI_INT, &m, to)));
        if (!ignores) status(to);
        received(2);
        MPI_Barrier(WORLD);
    }
}

static void persistent_calls(void) {
    say(" %d", code(MPI_Startall(0, NULL)));
    MPI_Recv_init(in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &q[0]);
    MPI_Send_init(out, 1, MPI_INT, other, tag, comm, &q[1]);
    MPI_Rsend_init(out, 1, MPI_INT, MPI_PROC_NULL, tag, comm, &q[2]);
    for (int i = 0; i < 3; ++i) {
        out[0] = 10 * rank + i;
        for (int k = 0; k < 3; ++k) say(" %d", code(MPI_Start(&q[k])));
        complete((enum how)(wait + 2 * i), 3, 0, 0);
        received(1);
        MPI_Request_get_status(q[0], &flag, &s[0]);
        say(" %d", flag);
        status(&s[0]);
    }
    MPI_Barrier(WORLD);
    MPI_Start(&q[0]); // and is cancelled, and is started once more
    say(" %d", code(MPI_Cancel(&q[0])));
    MPI_Wait(&q[0], &s[0]);
    cancelled(&s[0]);
    MPI_Barrier(WORLD);
    MPI_Start(&q[0]), MPI_Start(&q[1]);
    MPI_Waitall(2, q, s);
    cancelled(&s[0]);
    received(1);
    MPI_Start(&q[1]); // and is freed while it is active
    for (int k = 0; k < 3; ++k) say(" %d", code(MPI_Request_free(&q[k])));
    MPI_Recv(in, 1, MPI_INT, other, tag, comm, &s[0]);
    status(&s[0]);
    requests(3);
}

static void looks_at_requests(void) {
    for (int ignores = 0; ignores < 2; ++ignores) {
        MPI_Status* const to = ignores ? MPI_STATUS_IGNORE : s;
        say(" %d", code(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, to)));
        say("%d", flag);
        if (!ignores) status(to);
        MPI_Irecv(in, 1, MPI_INT, MPI_PROC_NULL, tag, WORLD, &q[0]);
        say(" %d", code(MPI_Request_get_status(q[0], &flag, to)));
        say("%d", flag);
        MPI_Irecv(in, 1, MPI_INT, other, tag, WORLD, &q[1]);
        MPI_Request_get_status(q[1], &flag, to);
        MPI_Barrier(WORLD);
        MPI_Isend(out, 1, MPI_INT, other, tag, WORLD, &q[2]);
        for (int i = 1; i < 3; ++i) do
                MPI_Request_get_status(q[i], &flag, to);
            while (!flag);
        MPI_Request_get_status(q[1], &flag, to);
        if (!ignores) status(to);
        complete(waitall, 3, ignores, 0);
    }
    say(" %d", code(MPI_Request_free(&q[0])) != 0);
    say("%d", code(MPI_Cancel(&q[0])) != 0);
    say("%d", code(MPI_Start(&q[0])) != 0);
}

/// What the library refuses: the error is returned, and the program goes on.
static void refused_calls(void) {
    MPI_Request r;
    MPI_Message m;
    say(" %d", code(MPI_Send(out, 1, MPI_INT, far, tag, WORLD)));
    say(" %d", code(MPI_Send(out, 1, MPI_INT, MPI_ANY_SOURCE, tag, WORLD)));
    say(" %d", code(MPI_Send(out, -1, MPI_INT, other, tag, WORLD)));
    say(" %d", code(MPI_Send(out, 1, MPI_DATATYPE_NULL, other, tag, WORLD)));
    say(" %d", code(MPI_Send(out, 1, MPI_INT, other, -5, WORLD)));
    say(" %d", code(MPI_Send(out, 1, MPI_INT, other, tag, MPI_COMM_NULL)));
    say(" %d", code(MPI_Isend(out, 1, MPI_INT, far, tag, WORLD, &r)));
    say(" %d", code(MPI_Isend(out, 1, MPI_INT, other, tag, MPI_COMM_NULL, &r)));
    say(" %d", code(MPI_Send_init(out, 1, MPI_INT, far, tag, WORLD, &r)));
    say(" %d", code(MPI_Recv(in, 1, MPI_INT, far, tag, WORLD, &s[0])));
    say(" %d", code(MPI_Recv(in, -1, MPI_INT, other, tag, WORLD, MPI_STATUS_IGNORE)));
    say(" %d", code(MPI_Recv(in, 1, MPI_DATATYPE_NULL, other, tag, WORLD, MPI_STATUS_IGNORE)));
    say(" %d", code(MPI_Irecv(in, 1, MPI_INT, far, tag, WORLD, &r)));
    say(" %d", code(MPI_Irecv(in, 1, MPI_INT, other, -5, WORLD, &r)));
    say(" %d", code(MPI_Recv_init(in, 1, MPI_INT, far, tag, WORLD, &r)));
    say(" %d", code(MPI_Sendrecv(out, 1, MPI_INT, far, tag, in, 1, MPI_INT, other, tag, WORLD, &s[0])));
    say(" %d", code(MPI_Probe(far, tag, WORLD, &s[0])));
    say(" %d", code(MPI_Iprobe(far, tag, WORLD, &flag, &s[0])));
    say(" %d", code(MPI_Mprobe(far, tag, WORLD, &m, &s[0])));
    say(" %d", code(MPI_Improbe(far, tag, WORLD, &flag, &m, &s[0])));
    say(" %d", code(MPI_Bcast(in, 1, MPI_INT, -1, WORLD)));
    say(" %d", code(MPI_Bcast(in, 1, MPI_INT, 0, MPI_COMM_NULL)));
    say(" %d", code(MPI_Barrier(MPI_COMM_NULL)));
}

/// Messages that are longer than their receives. Statuses say which one it is.
static void truncation(void) {
    for (int how = wait; how < ways; ++how) {
        MPI_Send(out, 2, MPI_INT, other, tag, WORLD);
        MPI_Send(out, 1, MPI_INT, other, tag + 1000, WORLD);
        MPI_Barrier(WORLD);
        MPI_Status both[2];
        int error = 0;
        MPI_Irecv(&in[0], 1, MPI_INT, other, tag, WORLD, &q[0]);
        MPI_Irecv(&in[1], 1, MPI_INT, other, tag + 1000, WORLD, &q[1]);
        switch ((enum how)how) {
        case wait: error = MPI_Wait(&q[0], MPI_STATUS_IGNORE); break;
        case test:
            do error = MPI_Test(&q[0], &flag, &s[0]);
            while (error == MPI_SUCCESS && !flag);
            break;
        case waitall: error = MPI_Waitall(2, q, both); break;
        case testall:
            do error = MPI_Testall(2, q, &flag, both);
            while (error == MPI_SUCCESS && !flag);
            break;
        case waitany: error = MPI_Waitany(1, q, &index_, &s[0]); break;
        case testany:
            do error = MPI_Testany(1, q, &index_, &flag, &s[0]);
            while (error == MPI_SUCCESS && !flag);
            break;
        case waitsome: error = MPI_Waitsome(1, q, &n, at, both); break;
        case testsome:
            do error = MPI_Testsome(1, q, &n, at, both);
            while (error == MPI_SUCCESS && n == 0);
            break;
        case ways: break;
        }
        say(" %d:%d", how, code(error));
        if (code(error) == MPI_ERR_IN_STATUS && (how == waitall || how == testall)) say(",%d", code(both[0].MPI_ERROR));
        if (code(error) == MPI_ERR_IN_STATUS && (how == waitsome || how == testsome))
            say(",%d", code(both[0].MPI_ERROR));
        requests(1);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        requests(2);
        say(" %d", in[1]);
    }
    MPI_Send(out, 2, MPI_INT, other, tag, WORLD);
    say(" %d", code(MPI_Recv(in, 1, MPI_INT, other, tag, WORLD, MPI_STATUS_IGNORE)));
    say(" %d", code(MPI_Sendrecv(out, 2, MPI_INT, other, tag, in, 1, MPI_INT, other, tag, WORLD, &s[0])));
    MPI_Barrier(WORLD);
}

typedef int sends(void const*, int, MPI_Datatype, int, int, MPI_Comm);
typedef int issues(void const*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
static sends* const blocking[] = {MPI_Send, MPI_Ssend, MPI_Bsend, MPI_Rsend};
static issues* const issuing[] = {MPI_Isend,     MPI_Issend,     MPI_Ibsend,     MPI_Irsend,
                                  MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init, MPI_Rsend_init};
enum { modes_of_sends = 4 };

/// Every send, to the other rank and to nobody, of nothing and of something. Ready sends have their receives.
static void modes(void) {
    for (int mode = 0; mode < 2 * modes_of_sends; ++mode) {
        int const is_persistent = mode >= modes_of_sends;
        for (int i = 0; i < 2; ++i) MPI_Irecv(&in[i], 1, MPI_INT, other, tag, WORLD, &q[i]);
        MPI_Barrier(WORLD);
        say(" %d", code(issuing[mode](out, 1, MPI_INT, other, tag, WORLD, &q[2])));
        say("%d", code(issuing[mode](NULL, 0, MPI_INT, other, tag, WORLD, &q[3])));
        say("%d", code(issuing[mode](out, 1, MPI_INT, MPI_PROC_NULL, tag, WORLD, &q[4])));
        if (is_persistent) say("%d", code(MPI_Startall(3, &q[2])));
        MPI_Waitall(5, q, s);
        for (int i = 0; i < 2; ++i) status(&s[i]);
        received(2);
        for (int i = 2; is_persistent && i < 5; ++i) say("%d", code(MPI_Request_free(&q[i])));
        requests(5);
        if (is_persistent) continue;
        MPI_Irecv(&in[0], 1, MPI_INT, other, tag, WORLD, &q[0]);
        MPI_Barrier(WORLD);
        say(" %d", code(blocking[mode](&out[mode], 1, MPI_INT, other, tag, WORLD)));
        MPI_Wait(&q[0], &s[0]);
        status(&s[0]);
        received(1);
    }
}

/// The buffer of main.c, with a message in it that has its receive.
static void detach(void) {
    int size = -1;
    void* buffer = NULL;
    MPI_Irecv(in, 1, MPI_INT, other, tag, WORLD, q);
    MPI_Bsend(out, 1, MPI_INT, other, tag, WORLD);
    say(" %d", code(MPI_Buffer_detach(&buffer, &size)));
    say(" %d %d", size, buffer != NULL);
    MPI_Wait(q, s);
    received(1);
    say(" %d", code(MPI_Buffer_attach(buffer, size)));
}

static void refused_modes(void) {
    for (int mode = 0; mode < 2 * modes_of_sends; ++mode) {
        issues* const f = issuing[mode];
        say(" %d", code(f(out, 1, MPI_INT, far, tag, WORLD, &q[0])));
        say(" %d", code(f(out, -1, MPI_INT, other, tag, WORLD, &q[0])));
        say(" %d", code(f(out, 1, MPI_DATATYPE_NULL, other, tag, WORLD, &q[0])));
        say(" %d", code(f(out, 1, MPI_INT, other, -5, WORLD, &q[0])));
        say(" %d", code(f(out, 1, MPI_INT, other, tag, MPI_COMM_NULL, &q[0])));
        if (mode >= modes_of_sends) continue;
        sends* const g = blocking[mode];
        say(" %d", code(g(out, 1, MPI_INT, far, tag, WORLD)));
        say(" %d", code(g(out, -1, MPI_INT, other, tag, WORLD)));
        say(" %d", code(g(out, 1, MPI_DATATYPE_NULL, other, tag, WORLD)));
        say(" %d", code(g(out, 1, MPI_INT, other, -5, WORLD)));
        say(" %d", code(g(out, 1, MPI_INT, other, tag, MPI_COMM_NULL)));
    }
    say(" %d", code(MPI_Irecv(in, -1, MPI_INT, other, tag, WORLD, &q[0])));
    say(" %d", code(MPI_Irecv(in, 1, MPI_DATATYPE_NULL, other, tag, WORLD, &q[0])));
    say(" %d", code(MPI_Irecv(in, 1, MPI_INT, other, tag, MPI_COMM_NULL, &q[0])));
    say(" %d", code(MPI_Recv_init(in, -1, MPI_INT, other, tag, WORLD, &q[0])));
    say(" %d", code(MPI_Recv(in, 1, MPI_INT, other, -5, WORLD, s)));
    say(" %d", code(MPI_Recv(in, 1, MPI_INT, other, tag, MPI_COMM_NULL, s)));
    say(" %d", code(MPI_Sendrecv(out, 1, MPI_INT, other, tag, in, 1, MPI_INT, far, tag, WORLD, s)));
    say(" %d", code(MPI_Sendrecv_replace(out, 1, MPI_INT, far, tag, other, tag, WORLD, s)));
    say(" %d", code(MPI_Sendrecv_replace(out, -1, MPI_INT, other, tag, other, tag, WORLD, s)));
    say(" %d", code(MPI_Probe(other, -5, WORLD, s)));
    NOT_IN_OPEN_MPI(say(" %d", code(MPI_Probe(other, tag, MPI_COMM_NULL, s)))); // is fatal
}

struct section const of_messages[] = {{"blocking calls", blocking_calls},
                                      {"probes", probes},
                                      {"persistent calls", persistent_calls},
                                      {"looks at requests", looks_at_requests},
                                      {"what is refused", refused_calls},
                                      {"truncation", truncation},
                                      {"modes", modes},
                                      {"detach", detach},
                                      {"refused by modes", refused_modes},
                                      {NULL, NULL}};
