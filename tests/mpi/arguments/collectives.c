// Collective calls, blocking and nonblocking: among two ranks, in place, of nothing, of one rank, and refused.
#include "seen.h"

static int const one_each[2] = {1, 1}, two_each[2] = {2, 2}, none_each[2] = {0, 0}, negative[2] = {-1, -1};
static int const from[2] = {0, 1}, bytes_from[2] = {0, 4};

static void show(int error) {
    say(" %d", error);
    received(4);
}
static void fill(void) {
    for (int i = 0; i < 4; ++i) in[i] = 10 * rank + i;
}

/// Both calls of a kind.
#define DO(name, of, ...)                                                                                              \
    do {                                                                                                               \
        wipe(), fill();                                                                                                \
        show(code(MPI_##name(__VA_ARGS__, of)));                                                                       \
        wipe(), fill();                                                                                                \
        int const error = code(MPI_I##name(__VA_ARGS__, of, &q[0]));                                                   \
        if (error == MPI_SUCCESS) say(" %d", code(MPI_Wait(&q[0], MPI_STATUS_IGNORE)));                                \
        show(error);                                                                                                   \
    } while (0)

static void barriers(void) {
    say(" %d", code(MPI_Barrier(MPI_COMM_SELF)));
    say(" %d", code(MPI_Ibarrier(WORLD, &q[0])));
    MPI_Wait(&q[0], s);
    say(" %d %d", code(MPI_Barrier(MPI_COMM_NULL)), code(MPI_Ibarrier(MPI_COMM_NULL, &q[0])));
}

// The kinds have no space between I and the name: MPI_Ibcast.
#define MPI_IBcast MPI_Ibcast
#define MPI_IGather MPI_Igather
#define MPI_IGatherv MPI_Igatherv
#define MPI_IScatter MPI_Iscatter
#define MPI_IScatterv MPI_Iscatterv
#define MPI_IAllgather MPI_Iallgather
#define MPI_IAllgatherv MPI_Iallgatherv
#define MPI_IAlltoall MPI_Ialltoall
#define MPI_IAlltoallv MPI_Ialltoallv
#define MPI_IAlltoallw MPI_Ialltoallw
#define MPI_IReduce MPI_Ireduce
#define MPI_IAllreduce MPI_Iallreduce
#define MPI_IReduce_scatter MPI_Ireduce_scatter
#define MPI_IReduce_scatter_block MPI_Ireduce_scatter_block
#define MPI_IScan MPI_Iscan
#define MPI_IExscan MPI_Iexscan

static void bcast(void) {
    DO(Bcast, WORLD, in, 2, MPI_INT, 1);
    DO(Bcast, WORLD, NULL, 0, MPI_INT, 0);
    DO(Bcast, MPI_COMM_SELF, in, 1, MPI_INT, 0);
    DO(Bcast, WORLD, in, 1, MPI_INT, far);
    DO(Bcast, WORLD, in, 1, MPI_INT, -1);
    DO(Bcast, WORLD, in, -1, MPI_INT, 0);
    DO(Bcast, WORLD, in, 1, MPI_DATATYPE_NULL, 0);
    DO(Bcast, MPI_COMM_NULL, in, 1, MPI_INT, 0);
}

static void gather(void) {
    DO(Gather, WORLD, out, 2, MPI_INT, in, 2, MPI_INT, 0);
    DO(Gather, WORLD, rank == 0 ? MPI_IN_PLACE : (void*)out, 1, MPI_INT, in, 1, MPI_INT, 0);
    DO(Gather, WORLD, out, 1, MPI_INT, rank == 1 ? in : NULL, rank == 1 ? 1 : far, MPI_INT,
       1); // means nothing elsewhere
    DO(Gather, WORLD, NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0);
    DO(Gather, MPI_COMM_SELF, out, 1, MPI_INT, in, 1, MPI_INT, 0);
    DO(Gather, WORLD, out, 1, MPI_INT, in, 1, MPI_INT, far);
    DO(Gather, WORLD, out, -1, MPI_INT, in, 1, MPI_INT, rank);
    DO(Gather, MPI_COMM_NULL, out, 1, MPI_INT, in, 1, MPI_INT, 0);
    DO(Gatherv, WORLD, out, 1, MPI_INT, in, one_each, from, MPI_INT, 0);
    DO(Gatherv, WORLD, rank == 1 ? MPI_IN_PLACE : (void*)out, 1, MPI_INT, in, one_each, from, MPI_INT, 1);
    DO(Gatherv, WORLD, out, 1, MPI_INT, rank == 0 ? in : NULL, rank == 0 ? one_each : NULL, rank == 0 ? from : NULL,
       rank == 0 ? MPI_INT : MPI_DATATYPE_NULL, 0);
    DO(Gatherv, WORLD, NULL, 0, MPI_INT, NULL, none_each, from, MPI_INT, 0);
    DO(Gatherv, WORLD, out, 1, MPI_INT, in, one_each, from, MPI_INT, far);
    DO(Gatherv, MPI_COMM_NULL, out, 1, MPI_INT, in, one_each, from, MPI_INT, 0);
}

static void scatter(void) {
    DO(Scatter, WORLD, out, 2, MPI_INT, in, 2, MPI_INT, 0);
    DO(Scatter, WORLD, out, 1, MPI_INT, rank == 0 ? MPI_IN_PLACE : (void*)in, 1, MPI_INT, 0);
    DO(Scatter, WORLD, rank == 1 ? out : NULL, rank == 1 ? 1 : far, MPI_INT, in, 1, MPI_INT, 1);
    DO(Scatter, WORLD, NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0);
    DO(Scatter, WORLD, out, 1, MPI_INT, in, 1, MPI_INT, far);
    DO(Scatter, MPI_COMM_NULL, out, 1, MPI_INT, in, 1, MPI_INT, 0);
    DO(Scatterv, WORLD, out, one_each, from, MPI_INT, in, 1, MPI_INT, 0);
    DO(Scatterv, WORLD, out, one_each, from, MPI_INT, rank == 1 ? MPI_IN_PLACE : (void*)in, 1, MPI_INT, 1);
    DO(Scatterv, WORLD, rank == 0 ? out : NULL, rank == 0 ? one_each : NULL, rank == 0 ? from : NULL,
       rank == 0 ? MPI_INT : MPI_DATATYPE_NULL, in, 1, MPI_INT, 0);
    DO(Scatterv, WORLD, NULL, none_each, from, MPI_INT, NULL, 0, MPI_INT, 0);
    DO(Scatterv, WORLD, out, one_each, from, MPI_INT, in, 1, MPI_INT, far);
    DO(Scatterv, MPI_COMM_NULL, out, one_each, from, MPI_INT, in, 1, MPI_INT, 0);
}

static void allgather(void) {
    DO(Allgather, WORLD, out, 1, MPI_INT, in, 1, MPI_INT);
    DO(Allgather, WORLD, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT);
    DO(Allgather, WORLD, NULL, 0, MPI_INT, NULL, 0, MPI_INT);
    DO(Allgather, WORLD, out, -1, MPI_INT, in, 1, MPI_INT);
    NOT_IN_OPEN_MPI(DO(Allgather, MPI_COMM_NULL, out, 1, MPI_INT, in, 1, MPI_INT));
    DO(Allgatherv, WORLD, out, 1, MPI_INT, in, one_each, from, MPI_INT);
    DO(Allgatherv, WORLD, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, one_each, from, MPI_INT);
    DO(Allgatherv, WORLD, NULL, 0, MPI_INT, NULL, none_each, from, MPI_INT);
    NOT_IN_OPEN_MPI(DO(Allgatherv, WORLD, out, 1, MPI_INT, in, negative, from, MPI_INT));
    NOT_IN_OPEN_MPI(DO(Allgatherv, MPI_COMM_NULL, out, 1, MPI_INT, in, one_each, from, MPI_INT));
}

static void alltoall(void) {
    MPI_Datatype const ints[2] = {MPI_INT, MPI_INT};
    DO(Alltoall, WORLD, out, 2, MPI_INT, in, 2, MPI_INT);
    DO(Alltoall, WORLD, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT);
    DO(Alltoall, WORLD, NULL, 0, MPI_INT, NULL, 0, MPI_INT);
    DO(Alltoall, WORLD, out, -1, MPI_INT, in, -1, MPI_INT);
    NOT_IN_OPEN_MPI(DO(Alltoall, MPI_COMM_NULL, out, 1, MPI_INT, in, 1, MPI_INT));
    DO(Alltoallv, WORLD, out, one_each, from, MPI_INT, in, one_each, from, MPI_INT);
    DO(Alltoallv, WORLD, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, one_each, from, MPI_INT);
    DO(Alltoallv, WORLD, NULL, none_each, from, MPI_INT, NULL, none_each, from, MPI_INT);
    DO(Alltoallv, WORLD, out, negative, from, MPI_INT, in, negative, from, MPI_INT);
    NOT_IN_OPEN_MPI(DO(Alltoallv, MPI_COMM_NULL, out, one_each, from, MPI_INT, in, one_each, from, MPI_INT));
    DO(Alltoallw, WORLD, out, one_each, bytes_from, ints, in, one_each, bytes_from, ints);
    DO(Alltoallw, WORLD, MPI_IN_PLACE, NULL, NULL, NULL, in, one_each, bytes_from, ints);
    DO(Alltoallw, WORLD, NULL, none_each, bytes_from, ints, NULL, none_each, bytes_from, ints);
    NOT_IN_OPEN_MPI(DO(Alltoallw, MPI_COMM_NULL, out, one_each, bytes_from, ints, in, one_each, bytes_from, ints));
}

static void sum(void* a, void* b, int* size, MPI_Datatype* type) {
    for (int i = 0; type != NULL && i < *size; ++i) ((int*)b)[i] += ((int*)a)[i];
}

static void reduce(void) {
    MPI_Op own;
    MPI_Op_create(sum, 1, &own);
    MPI_Op const ops[] = {MPI_SUM, MPI_MAX, own};
    for (int i = 0; i < 3; ++i) {
        DO(Reduce, WORLD, out, in, 2, MPI_INT, ops[i], 0);
        DO(Reduce, WORLD, rank == 1 ? MPI_IN_PLACE : (void*)out, in, 2, MPI_INT, ops[i], 1);
        DO(Allreduce, WORLD, out, in, 2, MPI_INT, ops[i]);
        DO(Allreduce, WORLD, MPI_IN_PLACE, in, 1, MPI_INT, ops[i]);
        DO(Reduce_scatter, WORLD, out, in, two_each, MPI_INT, ops[i]);
        DO(Reduce_scatter, WORLD, MPI_IN_PLACE, in, one_each, MPI_INT, ops[i]);
        DO(Reduce_scatter_block, WORLD, out, in, 1, MPI_INT, ops[i]);
        DO(Reduce_scatter_block, WORLD, MPI_IN_PLACE, in, 1, MPI_INT, ops[i]);
        DO(Scan, WORLD, out, in, 1, MPI_INT, ops[i]);
        DO(Scan, WORLD, MPI_IN_PLACE, in, 1, MPI_INT, ops[i]);
        if (rank == 1) { // what rank 0 has is not defined
            DO(Exscan, WORLD, out, in, 1, MPI_INT, ops[i]);
            DO(Exscan, WORLD, MPI_IN_PLACE, in, 1, MPI_INT, ops[i]);
        } else {
            for (int k = 0; k < 2; ++k) {
                MPI_Exscan(k == 0 ? (void*)out : MPI_IN_PLACE, in, 1, MPI_INT, ops[i], WORLD);
                MPI_Iexscan(k == 0 ? (void*)out : MPI_IN_PLACE, in, 1, MPI_INT, ops[i], WORLD, &q[0]);
                MPI_Wait(&q[0], MPI_STATUS_IGNORE);
            }
        }
    }
    MPI_Iallreduce(out, in, 1, MPI_INT, own, WORLD, &q[0]); // is freed while it is in use
    say(" %d", code(MPI_Op_free(&own)));
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    say(" %d", own == MPI_OP_NULL);
    received(1);
}

static void reduce_nothing(void) {
    DO(Reduce, WORLD, NULL, NULL, 0, MPI_INT, MPI_SUM, 0);
    DO(Allreduce, WORLD, NULL, NULL, 0, MPI_INT, MPI_SUM);
    DO(Reduce_scatter, WORLD, NULL, NULL, none_each, MPI_INT, MPI_SUM);
    DO(Reduce_scatter_block, WORLD, NULL, NULL, 0, MPI_INT, MPI_SUM);
    DO(Scan, WORLD, NULL, NULL, 0, MPI_INT, MPI_SUM);
    DO(Exscan, WORLD, NULL, NULL, 0, MPI_INT, MPI_SUM);
    DO(Reduce, MPI_COMM_SELF, out, in, 1, MPI_INT, MPI_SUM, 0);
    DO(Allreduce, MPI_COMM_SELF, MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM);
    DO(Scan, MPI_COMM_SELF, out, in, 1, MPI_INT, MPI_SUM);
}

/// A count, type, operation, root or communicator that no call may have.
#define REFUSED(name, counts, bad_counts, ...)                                                                         \
    NOT_IN_MPICH(DO(name, WORLD, out, in, bad_counts, MPI_INT, MPI_SUM __VA_ARGS__));                                  \
    DO(name, WORLD, out, in, counts, MPI_DATATYPE_NULL, MPI_SUM __VA_ARGS__);                                          \
    DO(name, WORLD, out, in, counts, MPI_INT, MPI_OP_NULL __VA_ARGS__);                                                \
    DO(name, WORLD, out, in, counts, MPI_FLOAT, MPI_BAND __VA_ARGS__);                                                 \
    DO(name, MPI_COMM_NULL, out, in, counts, MPI_INT, MPI_SUM __VA_ARGS__)
#define COMMA ,

static void reduce_refused(void) {
    REFUSED(Reduce, 1, -1, COMMA 0);
    REFUSED(Allreduce, 1, -1, );
    REFUSED(Reduce_scatter, one_each, negative, );
    REFUSED(Reduce_scatter_block, 1, -1, );
    REFUSED(Scan, 1, -1, );
    REFUSED(Exscan, 1, -1, );
    DO(Reduce, WORLD, out, in, 1, MPI_INT, MPI_SUM, far);
    DO(Reduce, WORLD, out, in, 1, MPI_INT, MPI_SUM, -1);
}

struct section const of_collectives[] = {{"barriers", barriers},
                                         {"broadcast", bcast},
                                         {"gather", gather},
                                         {"scatter", scatter},
                                         {"allgather", allgather},
                                         {"alltoall", alltoall},
                                         {"reduce", reduce},
                                         {"reduce nothing", reduce_nothing},
                                         {"refused reductions", reduce_refused},
                                         {NULL, NULL}};
