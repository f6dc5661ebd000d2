// Calls of MPI-4.0, where the library has them.
#include "seen.h"

#if MPI_VERSION >= 4

static int const one_each[2] = {1, 1}, from[2] = {0, 1}, bytes_from[2] = {0, 4};
static MPI_Count const ones[2] = {1, 1};
static MPI_Aint const places[2] = {0, 1}, places_in_bytes[2] = {0, 4};

static void show(int error) {
    say(" %d", error);
    received(2);
    wipe();
}

typedef int sends(void const*, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
typedef int issues(void const*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static void large_messages(void) {
    sends* const blocking[] = {MPI_Send_c, MPI_Ssend_c, MPI_Bsend_c, MPI_Rsend_c};
    issues* const issuing[] = {MPI_Isend_c,     MPI_Issend_c,     MPI_Ibsend_c,     MPI_Irsend_c,
                               MPI_Send_init_c, MPI_Ssend_init_c, MPI_Bsend_init_c, MPI_Rsend_init_c};
    for (int i = 0; i < 8; ++i) {
        MPI_Irecv_c(in, 1, MPI_INT, other, tag, WORLD, &q[0]);
        MPI_Barrier(WORLD);
        say(" %d", code(issuing[i](out, 1, MPI_INT, other, tag, WORLD, &q[1])));
        if (i >= 4) MPI_Start(&q[1]);
        MPI_Waitall(2, q, s);
        if (i >= 4) MPI_Request_free(&q[1]);
        show(0);
        if (i >= 4) continue;
        MPI_Irecv_c(in, 1, MPI_INT, other, tag, WORLD, &q[0]);
        MPI_Barrier(WORLD);
        int const error = code(blocking[i](out, 1, MPI_INT, other, tag, WORLD));
        MPI_Wait(&q[0], s);
        show(error);
    }
    MPI_Recv_init_c(in, 1, MPI_INT, other, tag, WORLD, &q[0]);
    MPI_Start(&q[0]);
    MPI_Send(out, 1, MPI_INT, other, tag, WORLD);
    MPI_Wait(&q[0], s);
    MPI_Request_free(&q[0]);
    show(0);
    MPI_Send(out, 1, MPI_INT, other, tag, WORLD);
    show(code(MPI_Recv_c(in, 1, MPI_INT, other, tag, WORLD, s)));
    for (int i = 0; i < 2; ++i) {
        MPI_Message m;
        MPI_Send(out, 1, MPI_INT, other, tag, WORLD);
        MPI_Mprobe(other, tag, WORLD, &m, s);
        int const error = code(i == 0 ? MPI_Mrecv_c(in, 1, MPI_INT, &m, s) : MPI_Imrecv_c(in, 1, MPI_INT, &m, &q[0]));
        if (i == 1) MPI_Wait(&q[0], s);
        show(error);
    }
    show(code(MPI_Sendrecv_c(out, 1, MPI_INT, other, tag, in, 1, MPI_INT, other, tag, WORLD, s)));
    show(code(MPI_Sendrecv_replace_c(in, 1, MPI_INT, other, tag, other, tag, WORLD, s)));
    say(" %d", code(MPI_Send_c(out, 1, MPI_INT, far, tag, WORLD)));
    say(" %d", code(MPI_Recv_c(in, 1, MPI_INT, MPI_PROC_NULL, tag, WORLD, MPI_STATUS_IGNORE)));
}

#define WAITS(call)                                                                                                    \
    do {                                                                                                               \
        int const error = code(call);                                                                                  \
        if (error == MPI_SUCCESS) MPI_Wait(&q[0], MPI_STATUS_IGNORE);                                                  \
        show(error);                                                                                                   \
    } while (0)
#define STARTS(call)                                                                                                   \
    do {                                                                                                               \
        int const error = code(call);                                                                                  \
        for (int i = 0; error == MPI_SUCCESS && i < 2; ++i) MPI_Start(&q[0]), MPI_Wait(&q[0], MPI_STATUS_IGNORE);      \
        if (error == MPI_SUCCESS) say(" %d", code(MPI_Request_free(&q[0])));                                           \
        show(error);                                                                                                   \
    } while (0)

static void exchanges(void) {
    WAITS(MPI_Isendrecv(out, 1, MPI_INT, other, tag, in, 1, MPI_INT, other, tag, WORLD, &q[0]));
    WAITS(MPI_Isendrecv_c(out, 1, MPI_INT, other, tag, in, 1, MPI_INT, other, tag, WORLD, &q[0]));
    WAITS(MPI_Isendrecv_replace(in, 1, MPI_INT, other, tag, other, tag, WORLD, &q[0]));
    WAITS(MPI_Isendrecv_replace_c(in, 1, MPI_INT, other, tag, other, tag, WORLD, &q[0]));
    WAITS(MPI_Isendrecv(out, 1, MPI_INT, far, tag, in, 1, MPI_INT, other, tag, WORLD, &q[0]));
}

#define UNPACK(...) __VA_ARGS__
/// All of a collective call but those of MPI-3: of large counts, with the arguments `b`, and persistent.
#define ALL(name, iname, a, b)                                                                                         \
    do {                                                                                                               \
        show(code(MPI_##name##_c(UNPACK b, c)));                                                                       \
        WAITS(MPI_##iname##_c(UNPACK b, c, &q[0]));                                                                    \
        STARTS(MPI_##name##_init(UNPACK a, c, MPI_INFO_NULL, &q[0]));                                                  \
        STARTS(MPI_##name##_init_c(UNPACK b, c, MPI_INFO_NULL, &q[0]));                                                \
    } while (0)

#define PLAIN (out, 1, MPI_INT, in, 1, MPI_INT)
#define GATHERS (out, 1, MPI_INT, in, one_each, from, MPI_INT)
#define GATHERS_LARGE (out, 1, MPI_INT, in, ones, places, MPI_INT)
#define EACH (out, one_each, from, MPI_INT, in, one_each, from, MPI_INT)
#define EACH_LARGE (out, ones, places, MPI_INT, in, ones, places, MPI_INT)
#define TYPED (out, one_each, bytes_from, ints, in, one_each, bytes_from, ints)
#define TYPED_LARGE (out, ones, places_in_bytes, ints, in, ones, places_in_bytes, ints)
#define NEIGHBOURS (out, one_each, places_in_bytes, ints, in, one_each, places_in_bytes, ints)
#define REDUCES (out, in, 1, MPI_INT, MPI_SUM)

static void large_collectives(void) {
    MPI_Comm const c = WORLD;
    MPI_Datatype const ints[2] = {MPI_INT, MPI_INT};
    STARTS(MPI_Barrier_init(c, MPI_INFO_NULL, &q[0]));
    ALL(Bcast, Ibcast, (in, 1, MPI_INT, 0), (in, 1, MPI_INT, 0));
    ALL(Gather, Igather, (out, 1, MPI_INT, in, 1, MPI_INT, 0), (out, 1, MPI_INT, in, 1, MPI_INT, 0));
    ALL(Gatherv, Igatherv, (out, 1, MPI_INT, in, one_each, from, MPI_INT, 0),
        (out, 1, MPI_INT, in, ones, places, MPI_INT, 0));
    ALL(Scatter, Iscatter, (out, 1, MPI_INT, in, 1, MPI_INT, 0), (out, 1, MPI_INT, in, 1, MPI_INT, 0));
    ALL(Scatterv, Iscatterv, (out, one_each, from, MPI_INT, in, 1, MPI_INT, 0),
        (out, ones, places, MPI_INT, in, 1, MPI_INT, 0));
    ALL(Allgather, Iallgather, PLAIN, PLAIN);
    ALL(Allgatherv, Iallgatherv, GATHERS, GATHERS_LARGE);
    ALL(Alltoall, Ialltoall, PLAIN, PLAIN);
    ALL(Alltoallv, Ialltoallv, EACH, EACH_LARGE);
    ALL(Alltoallw, Ialltoallw, TYPED, TYPED_LARGE);
    ALL(Reduce, Ireduce, (out, in, 1, MPI_INT, MPI_SUM, 0), (out, in, 1, MPI_INT, MPI_SUM, 0));
    ALL(Allreduce, Iallreduce, REDUCES, REDUCES);
    ALL(Reduce_scatter, Ireduce_scatter, (out, in, one_each, MPI_INT, MPI_SUM), (out, in, ones, MPI_INT, MPI_SUM));
    ALL(Reduce_scatter_block, Ireduce_scatter_block, REDUCES, REDUCES);
    ALL(Scan, Iscan, REDUCES, REDUCES);
}

/// What rank 0 gets of an exclusive scan is not defined.
static void large_exscan(void) {
    int ignored[2];
    int* const to = rank == 0 ? ignored : in;
    MPI_Comm const c = WORLD;
    ALL(Exscan, Iexscan, (out, to, 1, MPI_INT, MPI_SUM), (out, to, 1, MPI_INT, MPI_SUM));
}

static void large_neighbours(void) {
    MPI_Comm c;
    MPI_Datatype const ints[2] = {MPI_INT, MPI_INT};
    MPI_Dist_graph_create_adjacent(WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c);
    ALL(Neighbor_allgather, Ineighbor_allgather, PLAIN, PLAIN);
    ALL(Neighbor_allgatherv, Ineighbor_allgatherv, GATHERS, GATHERS_LARGE);
    ALL(Neighbor_alltoall, Ineighbor_alltoall, PLAIN, PLAIN);
    ALL(Neighbor_alltoallv, Ineighbor_alltoallv, EACH, EACH_LARGE);
    ALL(Neighbor_alltoallw, Ineighbor_alltoallw, NEIGHBOURS, TYPED_LARGE);
    MPI_Comm_free(&c);
}

static void large_windows(void) {
    int memory[4] = {1, 2, 3, 4}, result = untouched;
    int const one = 1;
    void* base = NULL;
    MPI_Win w;
    say(" %d", code(MPI_Win_allocate_c(16, 4, MPI_INFO_NULL, WORLD, &base, &w)));
    MPI_Win_free(&w);
    say(" %d", code(MPI_Win_allocate_shared_c(16, 4, MPI_INFO_NULL, WORLD, &base, &w)));
    MPI_Win_free(&w);
    say(" %d", code(MPI_Win_create_c(memory, sizeof memory, 4, MPI_INFO_NULL, WORLD, &w)));
    MPI_Win_lock_all(0, w);
    say(" %d", code(MPI_Put_c(&out[1], 1, MPI_INT, other, 0, 1, MPI_INT, w)));
    say(" %d", code(MPI_Rput_c(&out[1], 1, MPI_INT, other, 0, 1, MPI_INT, w, &q[0])));
    say(" %d", code(MPI_Get_c(&in[0], 1, MPI_INT, other, 1, 1, MPI_INT, w)));
    say(" %d", code(MPI_Rget_c(&in[1], 1, MPI_INT, other, 1, 1, MPI_INT, w, &q[1])));
    say(" %d", code(MPI_Accumulate_c(&one, 1, MPI_INT, other, 2, 1, MPI_INT, MPI_SUM, w)));
    say(" %d", code(MPI_Raccumulate_c(&one, 1, MPI_INT, other, 2, 1, MPI_INT, MPI_SUM, w, &q[2])));
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    say(" %d", code(MPI_Get_accumulate_c(&one, 1, MPI_INT, &result, 1, MPI_INT, other, 3, 1, MPI_INT, MPI_SUM, w)));
    MPI_Win_flush_all(w);
    say(" %d", result);
    say(" %d",
        code(MPI_Rget_accumulate_c(&one, 1, MPI_INT, &result, 1, MPI_INT, other, 3, 1, MPI_INT, MPI_SUM, w, &q[0])));
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(w);
    MPI_Barrier(WORLD);
    received(2);
    say(" %d %d %d %d %d", result, memory[0], memory[1], memory[2], memory[3]);
    say(" %d", code(MPI_Win_free(&w)));
}

/// From one rank to the other.
static void partitions(void) {
    int const error = code(rank == 0 ? MPI_Psend_init(out, 2, 1, MPI_INT, 1, tag, WORLD, MPI_INFO_NULL, &q[0])
                                     : MPI_Precv_init(in, 2, 1, MPI_INT, 0, tag, WORLD, MPI_INFO_NULL, &q[0]));
    say(" %d", error);
    for (int i = 0; error == MPI_SUCCESS && i < 2; ++i) {
        MPI_Start(&q[0]);
        if (rank == 0) MPI_Pready(0, q[0]), MPI_Pready(1, q[0]);
        MPI_Wait(&q[0], MPI_STATUS_IGNORE);
        received(2);
    }
    if (error == MPI_SUCCESS) say(" %d", code(MPI_Request_free(&q[0])));
}

static void sessions(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm c, inter;
    MPI_Comm_group(WORLD, &group);
    say(" %d", code(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session)));
    int error = code(MPI_Comm_create_from_group(group, "seen", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
    say(" %d", error);
    if (error == MPI_SUCCESS) say(" %d", code(MPI_Barrier(c)));
    if (error == MPI_SUCCESS) MPI_Comm_free(&c);
    error = code(MPI_Intercomm_create_from_groups(MPI_GROUP_NULL, 0, group, 0, "seen", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                                  &inter));
    say(" %d", error != MPI_SUCCESS);
    MPI_Group_free(&group);
    say(" %d", code(MPI_Session_finalize(&session)));
    error = code(MPI_Comm_idup_with_info(WORLD, MPI_INFO_NULL, &c, &q[0]));
    if (error == MPI_SUCCESS) MPI_Wait(&q[0], MPI_STATUS_IGNORE), MPI_Comm_free(&c);
    say(" %d", error);
}

struct section const of_later[] = {{"large messages", large_messages},
                                   {"nonblocking exchanges", exchanges},
                                   {"large collectives", large_collectives},
                                   {"large exclusive scans", large_exscan},
                                   {"large neighbours", large_neighbours},
                                   {"large windows", large_windows},
                                   {"partitions", partitions},
                                   {"sessions", sessions},
                                   {NULL, NULL}};

#else

struct section const of_later[] = {{NULL, NULL}};

#endif
