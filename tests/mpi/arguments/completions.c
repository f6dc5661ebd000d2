// Waits and tests, of all kinds of requests.
#include "seen.h"

void complete(enum how how, int size, int ignores, int shows) {
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

void completions(void) {
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
