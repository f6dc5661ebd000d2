// Calls with unusual arguments: null, empty, inactive, MPI_PROC_NULL, ignored, of size zero, freed, cancelled, refused.
// What a program sees of them has to be the same with the recorder as without it. Two ranks; each writes what it sees
// into the file ARGUMENT-RANK, a line for each case. Nothing of it depends on time.
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
enum { most = 20, untouched = 77 };

static FILE* file;
static int rank, other, tag; // the number of the case is its tag
static MPI_Comm comm;        // a duplicate of MPI_COMM_WORLD
static MPI_Request q[most];
static MPI_Status s[most];
static int flag, n, index_, at[most], out[most], in[most];

static void say(char const* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
}

/// The class of what a call returned.
static int code(int error) {
    int class = 0;
    if (error != MPI_SUCCESS) MPI_Error_class(error, &class);
    return class;
}

static void status(MPI_Status const* of) {
    int count = 0, cancelled = 0;
    MPI_Get_count(of, MPI_INT, &count);
    MPI_Test_cancelled(of, &cancelled);
    say(" [%d %d %d %d]",
        of->MPI_SOURCE == MPI_ANY_SOURCE  ? -1
        : of->MPI_SOURCE == MPI_PROC_NULL ? -2
                                          : of->MPI_SOURCE,
        of->MPI_TAG == MPI_ANY_TAG ? -1 : of->MPI_TAG, count, cancelled);
}
static void cancelled(MPI_Status const* of) {
    int is = 0;
    MPI_Test_cancelled(of, &is);
    say(" cancelled=%d", is);
}

static void wipe(void) {
    memset(s, 0x55, sizeof s);
    for (int i = 0; i < most; ++i) q[i] = MPI_REQUEST_NULL, at[i] = in[i] = untouched, out[i] = 100 * rank + i;
    flag = n = index_ = untouched;
}

/// Which handles are null, and what came.
static void requests(int size) {
    say(" null=");
    for (int i = 0; i < size; ++i) say("%d", q[i] == MPI_REQUEST_NULL);
}
static void received(int size) {
    say(" in=");
    for (int i = 0; i < size; ++i) say("%d,", in[i]);
}

// ---- completion -----------------------------------------------------------------------------------------------------

enum how { wait, test, waitall, testall, waitany, testany, waitsome, testsome, ways };

/// Completes the first requests in one way, until none is left; `ignores`: statuses. What becomes known in which order
/// depends on time: a sum does not.
static void complete(enum how how, int size, int ignores, int shows) {
    MPI_Request* const handles = size == 0 ? NULL : q;
    MPI_Status* const statuses = ignores || size == 0 ? MPI_STATUSES_IGNORE : s;
    MPI_Status one;
    MPI_Status* const single = ignores ? MPI_STATUS_IGNORE : &one;
    int sum = 0, times = 0, error = 0;
    memset(&one, 0x55, sizeof one);
    switch (how) {
    case wait:
        for (int i = 0; i < size; ++i) error |= code(MPI_Wait(&q[i], ignores ? MPI_STATUS_IGNORE : &s[i]));
        break;
    case test:
        for (int i = 0; i < size; ++i) do
                error |= code(MPI_Test(&q[i], &flag, ignores ? MPI_STATUS_IGNORE : &s[i]));
            while (!flag);
        break;
    case waitall: error = code(MPI_Waitall(size, handles, statuses)); break;
    case testall:
        do error = code(MPI_Testall(size, handles, &flag, statuses));
        while (!flag);
        break;
    case waitany:
        do {
            error |= code(MPI_Waitany(size, handles, &index_, single));
            if (index_ != MPI_UNDEFINED) sum += 1 << index_;
            if (!ignores && index_ != MPI_UNDEFINED) s[index_] = one;
        } while (index_ != MPI_UNDEFINED);
        if (!ignores) status(&one);
        break;
    case testany:
        do {
            error |= code(MPI_Testany(size, handles, &index_, &flag, single));
            if (flag && index_ != MPI_UNDEFINED) sum += 1 << index_;
            if (flag && !ignores && index_ != MPI_UNDEFINED) s[index_] = one;
        } while (!flag || index_ != MPI_UNDEFINED);
        if (!ignores) status(&one);
        break;
    case waitsome:
    case testsome: {
        int* const indices = size == 0 ? NULL : at;
        MPI_Status some[most];
        do {
            MPI_Status* const to = ignores || size == 0 ? MPI_STATUSES_IGNORE : some;
            error |= code(how == waitsome ? MPI_Waitsome(size, handles, &n, indices, to)
                                          : MPI_Testsome(size, handles, &n, indices, to));
            for (int i = 0; n != MPI_UNDEFINED && i < n; ++i) sum += 1 << at[i], s[at[i]] = some[i];
        } while (n != MPI_UNDEFINED);
        if (size > 0 && sum == 0) say(" at=%d", at[0]);
        break;
    }
    case ways: break;
    }
    say(" %d:%d,%d,%d", how, error, sum, times);
    requests(size);
    if (shows && !ignores)
        for (int i = 0; i < size; ++i) status(&s[i]);
}

// What to complete: each makes requests, and says how many, and whether their statuses are defined.
struct made {
    int size, has_statuses;
};

static struct made nothing(void) { return (struct made){0, 0}; }
static struct made nulls(void) { return (struct made){2, 0}; }
static struct made inactive(void) {
    MPI_Send_init(out, 1, MPI_INT, other, tag, WORLD, &q[0]);
    MPI_Recv_init(in, 1, MPI_INT, other, tag, WORLD, &q[1]);
    return (struct made){2, 0};
}
static struct made nobody(void) {
    MPI_Irecv(in, 1, MPI_INT, MPI_PROC_NULL, tag, WORLD, &q[0]);
    MPI_Isend(out, 1, MPI_INT, MPI_PROC_NULL, tag, WORLD, &q[1]);
    MPI_Issend(out, 1, MPI_INT, MPI_PROC_NULL, tag, WORLD, &q[2]);
    return (struct made){3, 0};
}
/// At the end of a line of ranks.
static struct made neighbours(void) {
    MPI_Irecv(&in[0], 1, MPI_INT, rank == 0 ? MPI_PROC_NULL : other, tag, WORLD, &q[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, rank == 1 ? MPI_PROC_NULL : other, tag, WORLD, &q[1]);
    MPI_Isend(&out[0], 1, MPI_INT, rank == 0 ? MPI_PROC_NULL : other, tag, WORLD, &q[2]);
    MPI_Isend(&out[1], 1, MPI_INT, rank == 1 ? MPI_PROC_NULL : other, tag, WORLD, &q[3]);
    return (struct made){4, 0};
}
/// More than a few; all sends are complete at once.
static struct made many(void) {
    for (int i = 0; i < most / 2; ++i) MPI_Irecv(&in[i], 1, MPI_INT, other, tag, WORLD, &q[i]);
    for (int i = 0; i < most / 2; ++i) MPI_Isend(&out[i], 1, MPI_INT, other, tag, WORLD, &q[most / 2 + i]);
    return (struct made){most, 0};
}
static struct made empty(void) {
    MPI_Irecv(NULL, 0, MPI_INT, other, tag, WORLD, &q[0]);
    MPI_Isend(NULL, 0, MPI_INT, other, tag, WORLD, &q[1]);
    return (struct made){1 + 1, 0};
}
static struct made receives_only(void) {
    MPI_Irecv(&in[0], 3, MPI_INT, MPI_ANY_SOURCE, tag, WORLD, &q[0]);
    MPI_Irecv(&in[3], 1, MPI_INT, other, MPI_ANY_TAG, comm, &q[1]);
    MPI_Send(out, 2, MPI_INT, other, tag, WORLD);
    MPI_Send(out, 1, MPI_INT, other, tag, comm);
    return (struct made){2, 1};
}
static struct made freed_types(void) {
    MPI_Datatype pair, sparse, none;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_vector(2, 1, 2, MPI_INT, &sparse);
    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_commit(&pair), MPI_Type_commit(&sparse), MPI_Type_commit(&none);
    MPI_Irecv(&in[0], 1, pair, other, tag, WORLD, &q[0]);
    MPI_Irecv(&in[2], 1, sparse, other, tag, WORLD, &q[1]);
    MPI_Irecv(&in[6], 1, none, other, tag, WORLD, &q[2]);
    MPI_Isend(out, 1, pair, other, tag, WORLD, &q[3]);
    MPI_Isend(out, 1, sparse, other, tag, WORLD, &q[4]);
    MPI_Isend(out, 1, none, other, tag, WORLD, &q[5]);
    MPI_Type_free(&pair), MPI_Type_free(&sparse), MPI_Type_free(&none);
    return (struct made){6, 0};
}
static struct made freed_communicator(void) {
    MPI_Comm once;
    MPI_Comm_dup(WORLD, &once);
    MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, tag, once, &q[0]);
    MPI_Isend(out, 1, MPI_INT, other, tag, once, &q[1]);
    MPI_Comm_free(&once);
    return (struct made){2, 0};
}
static struct made cancels(void) {
    MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, tag, WORLD, &q[0]);
    MPI_Irecv(in, 1, MPI_INT, other, MPI_ANY_TAG, comm, &q[1]);
    say(" %d%d", code(MPI_Cancel(&q[0])), code(MPI_Cancel(&q[1])));
    return (struct made){2, 0};
}
/// A message that is there already, and one that is not.
static struct made cancels_too_late(void) {
    MPI_Irecv(&in[0], 1, MPI_INT, other, tag, WORLD, &q[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, other, tag, WORLD, &q[1]);
    MPI_Irecv(&in[2], 1, MPI_INT, MPI_PROC_NULL, tag, WORLD, &q[2]);
    if (rank == 0) MPI_Ssend(out, 1, MPI_INT, 1, tag, WORLD); // is received by the first one when it returns
    if (rank == 1)
        while (!flag) MPI_Request_get_status(q[0], &flag, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Ssend(out, 1, MPI_INT, 0, tag, WORLD);
    if (rank == 0) MPI_Ssend(out, 0, MPI_INT, 1, tag + 1000, comm);
    if (rank == 1) MPI_Recv(out, 0, MPI_INT, 0, tag + 1000, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; ++i) say(" %d", code(MPI_Cancel(&q[i])));
    return (struct made){3, 0};
}
static struct made freed_requests(void) {
    MPI_Isend(&out[0], 1, MPI_INT, other, tag, WORLD, &q[0]);
    MPI_Isend(&out[1], 1, MPI_INT, other, tag, WORLD, &q[1]);
    MPI_Isend(&out[2], 1, MPI_INT, MPI_PROC_NULL, tag, WORLD, &q[2]);
    for (int i = 0; i < 3; ++i) say(" %d", code(MPI_Request_free(&q[i])));
    requests(3);
    MPI_Irecv(&in[0], 1, MPI_INT, other, tag, WORLD, &q[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, other, tag, WORLD, &q[1]);
    MPI_Isend(&out[3], 1, MPI_INT, other, tag, comm, &q[2]);
    MPI_Irecv(&in[2], 1, MPI_INT, other, tag, comm, &q[3]);
    return (struct made){4, 0};
}
static struct made persistent(void) {
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Recv_init(&in[0], 1, pair, other, tag, WORLD, &q[0]);
    MPI_Send_init(&out[0], 1, pair, other, tag, WORLD, &q[1]);
    MPI_Recv_init(&in[2], 1, MPI_INT, MPI_PROC_NULL, tag, WORLD, &q[2]);
    MPI_Ssend_init(&out[2], 1, MPI_INT, MPI_PROC_NULL, tag, WORLD, &q[3]);
    MPI_Bsend_init(&out[2], 0, MPI_INT, other, tag, comm, &q[4]);
    MPI_Recv_init(NULL, 0, MPI_INT, other, tag, comm, &q[5]);
    MPI_Type_free(&pair);
    say(" %d", code(MPI_Startall(6, q)));
    return (struct made){6, 0};
}
static struct made collectives(void) {
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Ibarrier(MPI_COMM_SELF, &q[0]);
    MPI_Ibcast(in, 1, MPI_INT, 0, MPI_COMM_SELF, &q[1]);
    MPI_Ibcast(rank == 0 ? out : in, 1, pair, 0, WORLD, &q[2]);
    MPI_Iallreduce(&out[2], &in[2], 1, MPI_INT, MPI_SUM, WORLD, &q[3]);
    MPI_Ibarrier(WORLD, &q[4]);
    MPI_Isend(&out[3], 1, MPI_INT, other, tag, WORLD, &q[5]);
    MPI_Irecv(&in[3], 1, MPI_INT, other, tag, WORLD, &q[6]);
    MPI_Type_free(&pair);
    return (struct made){7, 0};
}
static struct made copied(void) {
    MPI_Request one;
    for (int i = 0; i < 4; ++i) {
        MPI_Isend(&out[i], 1, MPI_INT, i == 1 ? MPI_PROC_NULL : other, tag, WORLD, &one);
        q[3 - i] = one;
        MPI_Irecv(&in[i], 1, MPI_INT, i == 2 ? MPI_PROC_NULL : other, tag, WORLD, &one);
        q[4 + i] = one;
    }
    return (struct made){8, 0};
}
static int give(void* state, MPI_Status* to) {
    (void)state;
    MPI_Status_set_elements(to, MPI_INT, 5);
    MPI_Status_set_cancelled(to, 0);
    to->MPI_SOURCE = 3;
    to->MPI_TAG = 4;
    return MPI_SUCCESS;
}
static int release(void* state) { return state == NULL ? MPI_SUCCESS : MPI_ERR_OTHER; }
static int cancel(void* state, int complete) { return state == NULL && complete ? MPI_SUCCESS : MPI_ERR_OTHER; }
static struct made generalized(void) {
    MPI_Grequest_start(give, release, cancel, NULL, &q[0]);
    MPI_Grequest_complete(q[0]);
    return (struct made){1, 1};
}
static struct made matched(void) {
    MPI_Message m[3];
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Send(out, 1, pair, other, tag, WORLD);
    MPI_Send(out, 0, pair, other, tag, WORLD);
    for (int i = 0; i < 3; ++i) {
        say(" %d",
            code(MPI_Mprobe(i == 2 ? MPI_PROC_NULL : other, tag, WORLD, &m[i], i == 1 ? MPI_STATUS_IGNORE : &s[i])));
        if (i != 1) status(&s[i]);
    }
    say(" %d", m[2] == MPI_MESSAGE_NO_PROC);
    for (int i = 0; i < 3; ++i) MPI_Imrecv(&in[2 * i], 1, pair, &m[i], &q[i]);
    MPI_Type_free(&pair);
    say(" %d", m[0] == MPI_MESSAGE_NULL);
    return (struct made){3, 1};
}

static struct {
    char const* name;
    struct made (*make)(void);
} const to_complete[] = {{"nothing", nothing},
                         {"null requests", nulls},
                         {"inactive requests", inactive},
                         {"MPI_PROC_NULL", nobody},
                         {"neighbours", neighbours},
                         {"many", many},
                         {"empty messages", empty},
                         {"receives", receives_only},
                         {"freed types", freed_types},
                         {"a freed communicator", freed_communicator},
                         {"cancelled receives", cancels},
                         {"cancelled too late", cancels_too_late},
                         {"freed requests", freed_requests},
                         {"persistent requests", persistent},
                         {"collectives", collectives},
                         {"copied handles", copied},
                         {"a generalized request", generalized},
                         {"matched messages", matched}};

static void completions(void) {
    for (unsigned i = 0; i < sizeof to_complete / sizeof *to_complete; ++i)
        for (int how = 0; how < ways; ++how)
            for (int ignores = 0; ignores < 2; ++ignores) {
                ++tag;
                wipe();
                say("%s", to_complete[i].name);
                struct made const made = to_complete[i].make();
                complete((enum how)how, made.size, ignores, made.has_statuses);
                if (!ignores && to_complete[i].make == cancels) cancelled(&s[0]), cancelled(&s[1]);
                if (!ignores && to_complete[i].make == cancels_too_late)
                    cancelled(&s[0]), cancelled(&s[1]), cancelled(&s[2]);
                received(8);
                for (int k = 0; k < made.size; ++k) // persistent ones
                    if (q[k] != MPI_REQUEST_NULL) say(" %d", code(MPI_Request_free(&q[k])));
                say("\n");
                MPI_Barrier(WORLD);
            }
}

// ---- other calls ----------------------------------------------------------------------------------------------------

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
    int const far = 99;
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

static struct {
    char const* name;
    void (*run)(void);
} const others[] = {{"blocking calls", blocking_calls},     {"probes", probes},
                    {"persistent calls", persistent_calls}, {"looks at requests", looks_at_requests},
                    {"what is refused", refused_calls},     {"truncation", truncation}};

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    other = 1 - rank;
    MPI_Comm_dup(WORLD, &comm);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    static char space[4096], name[4096];
    MPI_Buffer_attach(space, sizeof space);
    snprintf(name, sizeof name, "%s-%d", argv[1], rank);
    file = fopen(name, "w");
    if (file == NULL) MPI_Abort(WORLD, 2);
    setvbuf(file, NULL, _IOLBF, BUFSIZ);
    completions();
    for (unsigned i = 0; i < sizeof others / sizeof *others; ++i) {
        ++tag;
        wipe();
        say("%s", others[i].name);
        others[i].run();
        say("\n");
        MPI_Barrier(WORLD);
    }
    fclose(file);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 3;
}
