// Arguments that no call may have (MPI-3.1: 3.2, 5.1, 5.9.2, 6.4). Libraries end the program for most of them, so the
// file says it before they are called. A library may give the handle of what was freed to something new; then the
// call has that.
#include "calls.h"

#include <stdlib.h>
#include <string.h>

#define WRONG(function, place, ...) finding("argument", function, place, 0, __VA_ARGS__)

static int largest_tag(void) {
    static int largest;
    if (largest != 0) return largest;
    int* value = NULL;
    int is_there = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &is_there);
    largest = is_there ? *value : INT32_MAX;
    return largest;
}

void check_not_null(char const* function, unsigned place, bool is_null, char const* what) {
    if (is_null) WRONG(function, place, "its %s is null", what);
}

static void check_handle(char const* function, unsigned place, bool is_null, bool is_valid, char const* what) {
    check_not_null(function, place, is_null, what);
    if (!is_null && !is_valid) WRONG(function, place, "its %s is not valid", what);
}

bool is_nowhere(char const* function, unsigned place, bool is_null, char const* what) {
    if (is_null) WRONG(function, place, "the pointer to its %s is null", what);
    return is_null;
}

/// The communicator; null if nothing can be said of ranks in it.
static struct communicator const* check_communicator(char const* function, unsigned place, MPI_Comm comm) {
    check_handle(function, place, comm == MPI_COMM_NULL, is_communicator(comm), "communicator");
    struct communicator const* const c = find_communicator(comm);
    return c == NULL || c->is_inter ? NULL : c;
}

static void check_rank(char const* function, unsigned place, struct communicator const* c, int rank, char const* what) {
    if (c != NULL && (rank < 0 || rank >= c->size))
        WRONG(function, place, "its %s is %d, and its communicator has the ranks 0 to %d", what, rank, c->size - 1);
}

static void check_tag(char const* function, unsigned place, int tag) {
    if (tag < 0)
        WRONG(function, place, "its tag is %d", tag);
    else if (tag > largest_tag())
        WRONG(function, place, "its tag is %d, and the largest one is %d", tag, largest_tag());
}

static void check_type(char const* function, unsigned place, MPI_Datatype type) {
    check_handle(function, place, type == MPI_DATATYPE_NULL, is_type(type), "type");
    if (is_type(type) && is_uncommitted(type)) WRONG(function, place, "its type is not committed");
}

void check_part(char const* function, unsigned place, MPI_Datatype type) {
    if (is_recording()) check_handle(function, place, type == MPI_DATATYPE_NULL, is_type(type), "type");
}

static void check_data(char const* function, unsigned place, void const* buffer, int count, MPI_Datatype type) {
    if (count < 0) WRONG(function, place, "its count is %d", count);
    check_type(function, place, type);
    bool const is_null = buffer == NULL && count > 0 && integer_size(type) != 0; // other types may have addresses
    check_not_null(function, place, is_null, "buffer");
}

void check_send(char const* function, unsigned place, void const* buffer, int count, MPI_Datatype type, int to, int tag,
                MPI_Comm comm) {
    if (!is_recording()) return;
    struct communicator const* const c = check_communicator(function, place, comm);
    if (to == MPI_PROC_NULL) return; // the rest means nothing
    check_rank(function, place, c, to, "destination");
    check_tag(function, place, tag);
    check_data(function, place, buffer, count, type);
}

void check_probe(char const* function, unsigned place, int from, int tag, MPI_Comm comm) {
    if (!is_recording()) return;
    struct communicator const* const c = check_communicator(function, place, comm);
    if (from == MPI_PROC_NULL) return;
    if (from != MPI_ANY_SOURCE) check_rank(function, place, c, from, "source");
    if (tag != MPI_ANY_TAG) check_tag(function, place, tag);
}

void check_receive(char const* function, unsigned place, void const* buffer, int count, MPI_Datatype type, int from,
                   int tag, MPI_Comm comm) {
    check_probe(function, place, from, tag, comm);
    if (is_recording() && from != MPI_PROC_NULL) check_data(function, place, buffer, count, type);
}

// ---- one-sided communication ----------------------------------------------------------------------------------------

void check_target(char const* function, unsigned place, MPI_Win win, int target) {
    if (!is_recording()) return;
    check_not_null(function, place, win == MPI_WIN_NULL, "window");
    int const ranks = ranks_of_window(win);
    if (ranks >= 0 && target != MPI_PROC_NULL && (target < 0 || target >= ranks))
        WRONG(function, place, "its target is %d, and its window has the ranks 0 to %d", target, ranks - 1);
}

void check_memory(char const* function, unsigned place, void const* base, MPI_Aint size) {
    if (is_recording() && size > 0 && !memory_is_there(base, (char const*)base + size))
        WRONG(function, place, "its memory is not there");
}

void check_assertion(char const* function, unsigned place, int assertion, int known) {
    if (is_recording() && (assertion & ~known) != 0)
        WRONG(function, place, "its assertion has bits that mean nothing here: %d", assertion);
}

/// How far elements reach; -1: not known.
static MPI_Aint reach(int count, MPI_Datatype type) {
    if (count <= 0 || !is_type(type)) return 0;
    MPI_Aint low = 0, extent = 0, first = 0, length = 0;
    PMPI_Type_get_extent(type, &low, &extent);
    PMPI_Type_get_true_extent(type, &first, &length);
    return extent < 0 || first < 0 ? -1 : (count - 1) * extent + first + length;
}

/// The size of elements; -1: not known.
static int64_t bytes_of(int count, MPI_Datatype type) {
    int size = 0;
    if (count < 0 || !is_type(type)) return -1;
    PMPI_Type_size(type, &size);
    return size == MPI_UNDEFINED ? -1 : (int64_t)count * size;
}

void check_remote_call(struct remote_call const* call) {
    check_target(call->function, call->place, call->win, call->target);
    if (call->target == MPI_PROC_NULL) return;
    struct data const* const own[] = {&call->read, &call->compared, &call->written};
    for (int i = 0; i < 3; ++i)
        if (own[i]->count >= 0 || own[i]->buffer != NULL)
            check_data(call->function, call->place, own[i]->buffer, own[i]->count, own[i]->type);
    if (call->count < 0) WRONG(call->function, call->place, "its count is %d", call->count);
    check_type(call->function, call->place, call->type);
    int64_t const there = bytes_of(call->count, call->type);
    for (int i = 0; i < 3; ++i) {
        int64_t const here = bytes_of(own[i]->count, own[i]->type);
        if (here < 0 || there < 0 || here == there) continue;
        WRONG(call->function, call->place, "its elements have %lld bytes here, and %lld bytes at rank %d",
              (long long)here, (long long)there, call->target);
        break;
    }
    if (call->displacement < 0) {
        if (room_in_window(call->win, call->target, 0) >= 0)
            WRONG(call->function, call->place, "its displacement is %lld", (long long)call->displacement);
        return;
    }
    MPI_Aint const room = room_in_window(call->win, call->target, call->displacement);
    MPI_Aint const wanted = reach(call->count, call->type);
    if (room >= 0 && wanted > room)
        WRONG(call->function, call->place, "it reaches beyond the window of rank %d, which has %lld bytes there",
              call->target, (long long)room);
}

// ---- operations -----------------------------------------------------------------------------------------------------

static bool is_floating(MPI_Datatype type) {
    return type == MPI_FLOAT || type == MPI_DOUBLE || type == MPI_LONG_DOUBLE || type == MPI_REAL ||
           type == MPI_DOUBLE_PRECISION;
}
static bool is_pair(MPI_Datatype type) {
    return type == MPI_2INT || type == MPI_FLOAT_INT || type == MPI_DOUBLE_INT || type == MPI_LONG_INT ||
           type == MPI_SHORT_INT || type == MPI_LONG_DOUBLE_INT || type == MPI_2INTEGER || type == MPI_2REAL ||
           type == MPI_2DOUBLE_PRECISION;
}

/// What the standard's operations are not defined for (5.9.2, 5.9.4): of basic types, and of what the program has made.
static void check_operation(char const* function, unsigned place, MPI_Op op, MPI_Datatype type) {
    char const* const name = name_of_reduction(op);
    if (!is_type(type) || strcmp(name, "user") == 0) return;
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    bool const is_made = combiner != MPI_COMBINER_NAMED && types != 0;
    bool const is_of_pairs = op == MPI_MINLOC || op == MPI_MAXLOC;
    bool const is_of_bits =
        op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR || op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR;
    if (is_made)
        WRONG(function, place, "%s is not defined for types that the program has made", name);
    else if (is_of_bits && is_floating(type))
        WRONG(function, place, "%s is not defined for floating-point numbers", name);
    else if (is_of_pairs && (is_floating(type) || integer_size(type) != 0))
        WRONG(function, place, "%s is defined for pairs, such as MPI_2INT", name);
    else if (!is_of_pairs && is_pair(type))
        WRONG(function, place, "%s is not defined for pairs", name);
}

static bool has_operation(char const* function) {
    return strstr(function, "educe") != NULL || strstr(function, "can") != NULL; // MPI_Iallreduce, MPI_Exscan
}

void check_color(char const* function, unsigned place, int color) {
    if (is_recording() && color < 0 && color != MPI_UNDEFINED) WRONG(function, place, "its color is %d", color);
}

void check_sizes(char const* function, unsigned place, MPI_Comm comm, int dims, int const sizes[]) {
    if (!is_recording()) return;
    if (dims < 0) WRONG(function, place, "its number of dimensions is %d", dims);
    if (dims > 0 && is_nowhere(function, place, sizes == NULL, "array of sizes")) return;
    struct communicator const* const c = find_communicator(comm);
    int64_t places = 1;
    int wrong = 1;
    begin_reading(sizes, dims > 0 ? (size_t)dims * sizeof *sizes : 0);
    for (int i = 0; i < dims && wrong > 0; ++i) {
        if (sizes[i] <= 0) wrong = sizes[i];
        if (places <= INT32_MAX) places *= sizes[i];
    }
    end_reading();
    if (wrong <= 0)
        WRONG(function, place, "its grid has the size %d in a dimension", wrong);
    else if (c != NULL && places > c->size)
        WRONG(function, place, "its grid has more places than its communicator has ranks, %d", c->size);
}

void check_grid(char const* function, unsigned place, MPI_Comm comm) {
    if (!is_recording()) return;
    check_handle(function, place, comm == MPI_COMM_NULL, is_communicator(comm), "communicator");
    int kind = MPI_CART;
    bool const is_known = is_communicator(comm) && ASKING(PMPI_Topo_test(comm, &kind)) == MPI_SUCCESS;
    if (is_known && kind != MPI_CART) WRONG(function, place, "its communicator has no Cartesian grid");
}

void check_old_communicator(char const* function, unsigned place, MPI_Comm comm) {
    if (is_recording()) check_handle(function, place, comm == MPI_COMM_NULL, is_communicator(comm), "communicator");
}

void check_direction(char const* function, unsigned place, MPI_Comm comm, int dimension) {
    int kind = MPI_UNDEFINED, dims = 0;
    if (!is_recording() || !is_communicator(comm) || ASKING(PMPI_Topo_test(comm, &kind)) != MPI_SUCCESS) return;
    if (kind != MPI_CART || ASKING(PMPI_Cartdim_get(comm, &dims)) != MPI_SUCCESS) return;
    if (dimension < 0 || dimension >= dims)
        WRONG(function, place, "its direction is %d, and its grid has %d dimensions", dimension, dims);
}

void check_graph(char const* function, unsigned place, MPI_Comm comm, int nodes, int const index[], int const edges[]) {
    if (!is_recording()) return;
    struct communicator const* const c = find_communicator(comm);
    if (nodes < 0) WRONG(function, place, "its number of nodes is %d", nodes);
    if (nodes <= 0) return;
    if (c != NULL && nodes > c->size)
        WRONG(function, place, "its graph has %d nodes, and its communicator has %d ranks", nodes, c->size);
    if (is_nowhere(function, place, index == NULL, "array of indices")) return;
    begin_reading(index, (size_t)nodes * sizeof *index);
    int last = 0;
    bool is_rising = true;
    for (int i = 0; i < nodes && is_rising; ++i) {
        is_rising = index[i] >= last;
        last = index[i];
    }
    end_reading();
    if (!is_rising) {
        WRONG(function, place, "its index has %d where it must not fall below what is before it", last);
        return;
    }
    if (is_nowhere(function, place, last > 0 && edges == NULL, "array of edges")) return;
    int node = 0;
    begin_reading(edges, (size_t)last * sizeof *edges);
    for (int i = 0; i < last && node >= 0 && node < nodes; ++i) node = edges[i];
    end_reading();
    if (node < 0 || node >= nodes)
        WRONG(function, place, "an edge leads to node %d, and its graph has the nodes 0 to %d", node, nodes - 1);
}

// ---- groups ---------------------------------------------------------------------------------------------------------

/// The size of the group; -1: not known.
static int size_of_group(char const* function, unsigned place, MPI_Group group) {
    int size = -1;
    check_handle(function, place, group == MPI_GROUP_NULL, is_group(group), "group");
    if (is_group(group)) PMPI_Group_size(group, &size);
    return size;
}

void check_members(char const* function, unsigned place, MPI_Group group, int n, int const ranks[]) {
    if (!is_recording()) return;
    int const size = size_of_group(function, place, group);
    if (n < 0) WRONG(function, place, "its number of ranks is %d", n);
    if (size < 0 || n <= 0 || is_nowhere(function, place, ranks == NULL, "array of ranks")) return;
    bool* const is_there = allocate((size_t)size * sizeof *is_there + 1);
    for (int i = 0; i < size; ++i) is_there[i] = false;
    bool is_right = true;
    int rank = 0;
    begin_reading(ranks, (size_t)n * sizeof *ranks);
    for (int i = 0; i < n && is_right; ++i) {
        rank = ranks[i];
        is_right = rank >= 0 && rank < size && !is_there[rank];
        if (is_right) is_there[rank] = true;
    }
    end_reading();
    free(is_there);
    if (is_right) return;
    if (rank >= 0 && rank < size)
        WRONG(function, place, "it has rank %d twice", rank);
    else
        WRONG(function, place, "it has rank %d, and its group has %d ranks", rank, size);
}

void check_translated(char const* function, unsigned place, MPI_Group group, int n, int const ranks[]) {
    if (!is_recording()) return;
    int const size = size_of_group(function, place, group);
    if (n < 0) WRONG(function, place, "its number of ranks is %d", n);
    if (size < 0 || n <= 0 || is_nowhere(function, place, ranks == NULL, "array of ranks")) return;
    int rank = MPI_PROC_NULL;
    begin_reading(ranks, (size_t)n * sizeof *ranks);
    for (int i = 0; i < n && (rank == MPI_PROC_NULL || (rank >= 0 && rank < size)); ++i) rank = ranks[i];
    end_reading();
    if (rank != MPI_PROC_NULL && (rank < 0 || rank >= size))
        WRONG(function, place, "it has rank %d, and its group has %d ranks", rank, size);
}

void check_is_part(char const* function, unsigned place, MPI_Comm comm, MPI_Group group) {
    if (!is_recording()) return;
    int const size = size_of_group(function, place, group);
    struct communicator const* const c = find_communicator(comm);
    if (size <= 0 || c == NULL || c->is_inter) return;
    MPI_Group all = MPI_GROUP_NULL, common = MPI_GROUP_NULL;
    int in_both = size;
    PMPI_Comm_group(comm, &all);
    PMPI_Group_intersection(group, all, &common);
    PMPI_Group_size(common, &in_both);
    if (common != MPI_GROUP_EMPTY) PMPI_Group_free(&common);
    PMPI_Group_free(&all);
    if (in_both < size) WRONG(function, place, "its group has ranks that its communicator has not: %d", size - in_both);
}

// ---- what is freed, attached or cancelled ---------------------------------------------------------------------------

void check_not_freed(char const* function, unsigned place, enum object kind, uintptr_t handle, char const* what) {
    if (kind == a_group) return; // one handle can be several, and some that we do not see
    if (!is_recording() || !was_freed(kind, handle)) return;
    WRONG(function, place, "its %s has been freed", what);
    memory_may_be_broken();
}

void check_attached(char const* function, unsigned place, bool is_attached, bool should_be) {
    if (!is_recording() || is_attached == should_be) return;
    WRONG(function, place, is_attached ? "a buffer is attached already" : "no buffer is attached");
}

void check_cancelled(char const* function, unsigned place, MPI_Request handle, struct request const* r) {
    check_not_null(function, place, handle == MPI_REQUEST_NULL, "request");
    if (r != NULL && r->is_persistent && !r->is_active) WRONG(function, place, "its request is not active");
}

void check_collective(char const* function, unsigned place, MPI_Comm comm, struct said said) {
    if (!is_recording()) return;
    struct communicator const* const c = check_communicator(function, place, comm);
    if (said.root != no_root) check_rank(function, place, c, said.root, "root");
    if (has_operation(function)) {
        check_not_null(function, place, said.op == MPI_OP_NULL, "operation");
        if (said.op != MPI_OP_NULL) check_operation(function, place, said.op, said.type);
    }
    if (said.counts == NULL) return;
    if (c == NULL && said.root != no_root) return; // what counts is what the root says, or another one: who is it?
    bool const has_types = strstr(function, "lltoallw") != NULL; // one for each rank
    if (!has_types) check_type(function, place, said.type);
    if (c == NULL) return;
    int const n = said.n == of_each_member ? c->size : said.n;
    int wrong = 0;
    begin_reading(said.counts, (size_t)n * sizeof(int));
    for (int i = 0; i < n && wrong >= 0; ++i) wrong = said.counts[i];
    end_reading();
    if (wrong < 0) WRONG(function, place, "its count is %d", wrong);
}
