// Collective calls of neighbours, in topologies of which some have no neighbours, or MPI_PROC_NULL.
#include "seen.h"

static int const one_each[2] = {1, 1}, none_each[2] = {0, 0}, from[2] = {0, 1};
static MPI_Aint const bytes_from[2] = {0, 4};

static void show(int error) {
    say(" %d", error);
    received(2);
}

#define DO(name, iname, of, ...)                                                                                       \
    do {                                                                                                               \
        wipe();                                                                                                        \
        show(code(MPI_##name(__VA_ARGS__, of)));                                                                       \
        wipe();                                                                                                        \
        int const error = code(MPI_##iname(__VA_ARGS__, of, &q[0]));                                                   \
        if (error == MPI_SUCCESS) say(" %d", code(MPI_Wait(&q[0], MPI_STATUS_IGNORE)));                                \
        show(error);                                                                                                   \
    } while (0)

static void all_kinds(MPI_Comm c) {
    MPI_Datatype const ints[2] = {MPI_INT, MPI_INT};
    DO(Neighbor_allgather, Ineighbor_allgather, c, out, 1, MPI_INT, in, 1, MPI_INT);
    DO(Neighbor_allgatherv, Ineighbor_allgatherv, c, out, 1, MPI_INT, in, one_each, from, MPI_INT);
    DO(Neighbor_alltoall, Ineighbor_alltoall, c, out, 1, MPI_INT, in, 1, MPI_INT);
    DO(Neighbor_alltoallv, Ineighbor_alltoallv, c, out, one_each, from, MPI_INT, in, one_each, from, MPI_INT);
    DO(Neighbor_alltoallw, Ineighbor_alltoallw, c, out, one_each, bytes_from, ints, in, one_each, bytes_from, ints);
    DO(Neighbor_allgather, Ineighbor_allgather, c, NULL, 0, MPI_INT, NULL, 0, MPI_INT);
    DO(Neighbor_alltoallv, Ineighbor_alltoallv, c, NULL, none_each, from, MPI_INT, NULL, none_each, from, MPI_INT);
}

static void line(void) {
    int const size = 2, is_closed = 0;
    MPI_Comm c;
    MPI_Cart_create(WORLD, 1, &size, &is_closed, 0, &c);
    all_kinds(c);
    MPI_Comm_free(&c);
}

static void pair(void) {
    MPI_Comm c;
    MPI_Dist_graph_create_adjacent(WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c);
    all_kinds(c);
    MPI_Comm_free(&c);
}

static void nobody(void) {
    MPI_Comm c;
    MPI_Dist_graph_create_adjacent(WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &c);
    all_kinds(c);
    MPI_Comm_free(&c);
}

static void refused(void) {
    NOT_IN_OPEN_MPI(DO(Neighbor_allgather, Ineighbor_allgather, MPI_COMM_NULL, out, 1, MPI_INT, in, 1, MPI_INT));
    NOT_IN_OPEN_MPI(DO(Neighbor_alltoall, Ineighbor_alltoall, MPI_COMM_NULL, out, 1, MPI_INT, in, 1, MPI_INT));
    DO(Neighbor_allgather, Ineighbor_allgather, WORLD, out, 1, MPI_INT, in, 1, MPI_INT); // has no topology
}

struct section const of_neighbours[] = {
    {"line", line}, {"pair", pair}, {"no neighbours", nobody}, {"refused neighbours", refused}, {NULL, NULL}};
