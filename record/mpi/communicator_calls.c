// Calls that make and free communicators. All ranks make them, so they are collective calls, too.
#include "recorder.h"

/// The library has made a communicator, or returned an error.
static int end_making(char const* function, unsigned place, unsigned number, MPI_Comm comm, int code,
                      MPI_Comm const* made) {
    end_collective(number, no_data);
    if (code == MPI_SUCCESS) made_from(comm, *made);
    if (code == MPI_SUCCESS && *made != MPI_COMM_NULL) object_made(a_communicator, HANDLE(*made), function, place);
    return code;
}

RECORDER_API int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
    ENTER;
    unsigned const place = CALLER();
    unsigned const number = begin_collective("MPI_Comm_dup", comm, says_nothing, place, no_data);
    return end_making("MPI_Comm_dup", place, number, comm, PROGRAMS(PMPI_Comm_dup(comm, made)), made);
}

RECORDER_API int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
    ENTER;
    unsigned const place = CALLER();
    unsigned const number = begin_collective("MPI_Comm_dup_with_info", comm, says_nothing, place, no_data);
    return end_making("MPI_Comm_dup_with_info", place, number, comm,
                      PROGRAMS(PMPI_Comm_dup_with_info(comm, info, made)), made);
}

RECORDER_API int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
    ENTER;
    unsigned const place = CALLER();
    check_is_part("MPI_Comm_create", place, comm, group);
    unsigned const number = begin_collective("MPI_Comm_create", comm, says_nothing, place, no_data);
    return end_making("MPI_Comm_create", place, number, comm, PROGRAMS(PMPI_Comm_create(comm, group, made)), made);
}

RECORDER_API int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
    ENTER;
    unsigned const place = CALLER();
    check_is_part("MPI_Comm_create_group", place, comm, group);
    int const code = PROGRAMS(PMPI_Comm_create_group(comm, group, tag, made));
    if (code == MPI_SUCCESS && *made != MPI_COMM_NULL && is_recording()) {
        made_by_group(comm, tag, *made);
        end_collective(begin_collective("MPI_Comm_create_group", *made, says_nothing, place, no_data), no_data);
        object_made(a_communicator, HANDLE(*made), "MPI_Comm_create_group", place);
    }
    return code;
}

RECORDER_API int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
    ENTER;
    unsigned const place = CALLER();
    check_color("MPI_Comm_split", place, color);
    unsigned const number = begin_collective("MPI_Comm_split", comm, says_nothing, place, no_data);
    return end_making("MPI_Comm_split", place, number, comm, PROGRAMS(PMPI_Comm_split(comm, color, key, made)), made);
}

RECORDER_API int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
    ENTER;
    unsigned const place = CALLER();
    unsigned const number = begin_collective("MPI_Comm_split_type", comm, says_nothing, place, no_data);
    return end_making("MPI_Comm_split_type", place, number, comm,
                      PROGRAMS(PMPI_Comm_split_type(comm, type, key, info, made)), made);
}

RECORDER_API int MPI_Cart_create(MPI_Comm comm, int dims, int const sizes[], int const periods[], int reorder,
                                 MPI_Comm* made) {
    ENTER;
    unsigned const place = CALLER();
    check_sizes("MPI_Cart_create", place, comm, dims, sizes);
    unsigned const number = begin_collective("MPI_Cart_create", comm, says_nothing, place, no_data);
    return end_making("MPI_Cart_create", place, number, comm,
                      PROGRAMS(PMPI_Cart_create(comm, dims, sizes, periods, reorder, made)), made);
}

RECORDER_API int MPI_Cart_sub(MPI_Comm comm, int const remain[], MPI_Comm* made) {
    ENTER;
    unsigned const place = CALLER();
    unsigned const number = begin_collective("MPI_Cart_sub", comm, says_nothing, place, no_data);
    return end_making("MPI_Cart_sub", place, number, comm, PROGRAMS(PMPI_Cart_sub(comm, remain, made)), made);
}

RECORDER_API int MPI_Graph_create(MPI_Comm comm, int nodes, int const index[], int const edges[], int reorder,
                                  MPI_Comm* made) {
    ENTER;
    unsigned const place = CALLER();
    check_graph("MPI_Graph_create", place, comm, nodes, index, edges);
    unsigned const number = begin_collective("MPI_Graph_create", comm, says_nothing, place, no_data);
    return end_making("MPI_Graph_create", place, number, comm,
                      PROGRAMS(PMPI_Graph_create(comm, nodes, index, edges, reorder, made)), made);
}

RECORDER_API int MPI_Dist_graph_create(MPI_Comm comm, int n, int const sources[], int const degrees[],
                                       int const destinations[], int const weights[], MPI_Info info, int reorder,
                                       MPI_Comm* made) {
    ENTER;
    unsigned const place = CALLER();
    unsigned const number = begin_collective("MPI_Dist_graph_create", comm, says_nothing, place, no_data);
    return end_making(
        "MPI_Dist_graph_create", place, number, comm,
        PROGRAMS(PMPI_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, made)), made);
}

RECORDER_API int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, int const sources[], int const source_weights[],
                                                int out, int const destinations[], int const destination_weights[],
                                                MPI_Info info, int reorder, MPI_Comm* made) {
    ENTER;
    unsigned const place = CALLER();
    unsigned const number = begin_collective("MPI_Dist_graph_create_adjacent", comm, says_nothing, place, no_data);
    return end_making("MPI_Dist_graph_create_adjacent", place, number, comm,
                      PROGRAMS(PMPI_Dist_graph_create_adjacent(comm, in, sources, source_weights, out, destinations,
                                                               destination_weights, info, reorder, made)),
                      made);
}

RECORDER_API int MPI_Comm_free(MPI_Comm* comm) {
    ENTER;
    if (is_nowhere("MPI_Comm_free", CALLER(), comm == NULL, "communicator")) return PROGRAMS(PMPI_Comm_free(comm));
    check_old_communicator("MPI_Comm_free", CALLER(), *comm);
    communicator_is_gone(*comm);
    object_freed(a_communicator, HANDLE(*comm));
    return PROGRAMS(PMPI_Comm_free(comm));
}

RECORDER_API int MPI_Comm_disconnect(MPI_Comm* comm) {
    ENTER;
    unsigned const place = CALLER();
    if (is_nowhere("MPI_Comm_disconnect", place, comm == NULL, "communicator"))
        return PROGRAMS(PMPI_Comm_disconnect(comm));
    check_old_communicator("MPI_Comm_disconnect", place, *comm);
    communicator_is_gone(*comm);
    object_freed(a_communicator, HANDLE(*comm));
    waits_in("MPI_Comm_disconnect", place);
    return has_waited(PROGRAMS(PMPI_Comm_disconnect(comm)));
}

// What a rank asks about a grid concerns nobody else: only its communicator is looked at.
#define OF_GRID(name, parameters, arguments)                                                                           \
    RECORDER_API int MPI_##name parameters {                                                                           \
        ENTER;                                                                                                         \
        check_grid("MPI_" #name, CALLER(), comm);                                                                      \
        return PROGRAMS(PMPI_##name arguments);                                                                        \
    }
OF_GRID(Cartdim_get, (MPI_Comm comm, int* dims), (comm, dims))
OF_GRID(Cart_get, (MPI_Comm comm, int most, int sizes[], int periods[], int own[]), (comm, most, sizes, periods, own))
OF_GRID(Cart_rank, (MPI_Comm comm, int const place[], int* rank), (comm, place, rank))
OF_GRID(Cart_coords, (MPI_Comm comm, int rank, int most, int place[]), (comm, rank, most, place))

RECORDER_API int MPI_Cart_shift(MPI_Comm comm, int dimension, int by, int* from, int* to) {
    ENTER;
    check_grid("MPI_Cart_shift", CALLER(), comm);
    check_direction("MPI_Cart_shift", CALLER(), comm, dimension);
    return PROGRAMS(PMPI_Cart_shift(comm, dimension, by, from, to));
}
