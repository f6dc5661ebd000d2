// Collective calls. The file says which one, what has to agree with the calls of other ranks, and what the rank gave to
// it or got from it. What it means for who waits for whom is up to the language (docs/semantics.md has the table): the
// standard lets a library make calls wait for each other that need not, and programs must not rely on either.
#include "recorder.h"

static bool is_root(MPI_Comm comm, int root) {
    struct communicator const* const c = find_communicator(comm);
    return c != NULL && c->rank == root;
}

/// Keeps a collective call that was issued, until it is waited for.
static void keep(char const* function, unsigned place, unsigned number, struct data in, struct request* parts,
                 MPI_Request* handle, int code) {
    if (number == not_recorded || code != MPI_SUCCESS) {
        forget_parts(parts);
        return;
    }
    parts_are_pending(parts);
    struct request const r = {.number = number,
                              .kind = is_collective,
                              .function = function,
                              .made_at = place,
                              .place = place,
                              .buffer = (void*)(uintptr_t)in.buffer,
                              .count = in.count,
                              .type = in.type,
                              .parts = parts,
                              .is_active = true};
    keep_request(&r, handle);
}

/// What a rank gets that is not written down: a buffer.
static struct data unknown(void const* buffer) { return (struct data){buffer, -1, MPI_DATATYPE_NULL}; }

static int size_of(MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}
static int rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static struct memory const nothing;

static struct memory elements(void const* buffer, int64_t count, MPI_Datatype type) {
    return (struct memory){.buffer = buffer, .count = count, .type = type};
}
static struct memory elements_for_each(void const* buffer, int count, MPI_Datatype type, MPI_Comm comm) {
    return elements(buffer, (int64_t)count * size_of(comm), type);
}
static struct memory blocks(void const* buffer, int const* counts, int const* starts, MPI_Datatype type,
                            MPI_Comm comm) {
    return (struct memory){.buffer = buffer, .type = type, .blocks = size_of(comm), .counts = counts, .starts = starts};
}
static struct memory blocks_of(void const* buffer, int const* counts, int const* starts, MPI_Datatype const* types,
                               MPI_Comm comm) {
    return (struct memory){
        .buffer = buffer, .blocks = size_of(comm), .counts = counts, .starts = starts, .types = types};
}
/// What is reduced for all ranks, or for this one.
static struct memory shares(void const* buffer, int const* counts, MPI_Datatype type, MPI_Comm comm, bool of_all) {
    int64_t sum = 0;
    begin_reading(counts, (size_t)size_of(comm) * sizeof *counts);
    for (int i = 0; i < size_of(comm); ++i)
        if (of_all || i == rank_in(comm)) sum += counts[i];
    end_reading();
    return elements(buffer, sum, type);
}

/// A blocking call: what is pending must not use its buffers now, nor may they overlap.
static void look_at_parts(char const* function, unsigned place, struct memory reads, struct memory writes) {
    if (!some_buffer_is_pending() && !may_meet(&reads, &writes)) return;
    struct request* const parts = parts_of(function, place, &reads, &writes);
    if (parts != NULL && parts->next != NULL) compare_buffers(parts, parts->next);
    forget_parts(parts);
}

/// A blocking call of a replay, which was issued: while the rank waits, its receives may have to leave the schedule.
static int wait_in_replay(int code, MPI_Request real) {
    struct request r = {.kind = is_collective, .real = real};
    MPI_Status status;
    return code == MPI_SUCCESS ? wait_here(&r, &status) : code;
}

// ---- calls ----------------------------------------------------------------------------------------------------------

// For each function the blocking and the nonblocking one: parameters, arguments, what it says, what goes out, and in;
// and the memory that it reads, and writes.
#define UNPACK(...) __VA_ARGS__
#define COLLECTIVE(name, iname, parameters, arguments, said, out, in, reads, writes)                                   \
    RECORDER_API int MPI_##name(UNPACK parameters, MPI_Comm comm) {                                                    \
        ENTER;                                                                                                         \
        unsigned const place = CALLER();                                                                               \
        unsigned const number = begin_collective("MPI_" #name, comm, said, place, out);                                \
        if (number != not_recorded) look_at_parts("MPI_" #name, place, reads, writes);                                 \
        MPI_Request real = MPI_REQUEST_NULL;                                                                           \
        int code = MPI_SUCCESS;                                                                                        \
        if (!is_made_as_written(number)) {                                                                             \
            code = PROGRAMS(PMPI_##iname(UNPACK arguments, comm, &real));                                              \
            code = wait_in_replay(code, real);                                                                         \
        } else {                                                                                                       \
            code = PROGRAMS(PMPI_##name(UNPACK arguments, comm));                                                      \
        }                                                                                                              \
        end_collective(number, in);                                                                                    \
        return code;                                                                                                   \
    }                                                                                                                  \
    RECORDER_API int MPI_##iname(UNPACK parameters, MPI_Comm comm, MPI_Request* handle) {                              \
        ENTER;                                                                                                         \
        unsigned const place = CALLER();                                                                               \
        unsigned const number = begin_collective("MPI_" #iname, comm, said, place, out);                               \
        struct request* parts = NULL;                                                                                  \
        if (number != not_recorded) {                                                                                  \
            struct memory const read = reads, written = writes;                                                        \
            parts = parts_of("MPI_" #iname, place, &read, &written);                                                   \
            if (parts != NULL && parts->next != NULL) compare_buffers(parts, parts->next);                             \
        }                                                                                                              \
        int const code = PROGRAMS(PMPI_##iname(UNPACK arguments, comm, handle));                                       \
        keep("MPI_" #iname, place, number, in, parts, handle, code);                                                   \
        return code;                                                                                                   \
    }

// What a call says: counts of elements of a type, one or one for each member.
#define SAYS(root, op, type, counts, n, sends, gets) ((struct said){root, op, type, counts, n, sends, gets})
#define ONE(root, type, count, sends, gets) SAYS(root, MPI_OP_NULL, type, &(count), 1, sends, gets)
#define EACH(root, type, counts, sends, gets) SAYS(root, MPI_OP_NULL, type, counts, of_each_member, sends, gets)
#define REDUCES(root) SAYS(root, op, type, &count, 1, SHARE(type, count), NO_SHARE)
// What is sent or received.
#define NO_SHARE ((struct share){.n = 0})
#define SHARE(type, count) ((struct share){type, NULL, &(count), 1})
#define SHARES(type, counts) ((struct share){type, NULL, counts, of_each_member})
#define SHARES_OF(types, counts) ((struct share){MPI_DATATYPE_NULL, types, counts, of_each_member})
#define OUT SHARE(out_type, out_count)
#define IN SHARE(in_type, in_count)
// With MPI_IN_PLACE the arguments for what goes out mean nothing; at the root that scatters, those for what comes in.
#define IN_PLACE(yes, no) (out == MPI_IN_PLACE ? (yes) : (no))
#define UNLESS_IN_PLACE(buffer, share) ((buffer) == MPI_IN_PLACE ? NO_SHARE : (share))

#define AT_ROOT(yes, no) (is_root(comm, root) ? (yes) : (no))
#define SENT ((struct data){out, out_count, out_type})
#define BROADCAST ((struct data){buffer, count, type})
#define REDUCED ((struct data){out, count, type})
#define ALL(buffer) elements(buffer, count, type)

COLLECTIVE(Bcast, Ibcast, (void* buffer, int count, MPI_Datatype type, int root), (buffer, count, type, root),
           AT_ROOT(ONE(root, type, count, SHARE(type, count), NO_SHARE),
                   ONE(root, type, count, NO_SHARE, SHARE(type, count))),
           AT_ROOT(BROADCAST, no_data), AT_ROOT(no_data, BROADCAST), AT_ROOT(ALL(buffer), nothing),
           AT_ROOT(nothing, ALL(buffer)))
COLLECTIVE(Gather, Igather,
           (void const* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
            int root),
           (out, out_count, out_type, in, in_count, in_type, root),
           AT_ROOT(ONE(root, in_type, in_count, UNLESS_IN_PLACE(out, OUT), IN),
                   ONE(root, out_type, out_count, OUT, NO_SHARE)),
           AT_ROOT(no_data, SENT), unknown(in), elements(out, out_count, out_type),
           AT_ROOT(elements_for_each(in, in_count, in_type, comm), nothing))
COLLECTIVE(Gatherv, Igatherv,
           (void const* out, int out_count, MPI_Datatype out_type, void* in, int const counts[], int const starts[],
            MPI_Datatype in_type, int root),
           (out, out_count, out_type, in, counts, starts, in_type, root),
           AT_ROOT(EACH(root, in_type, counts, UNLESS_IN_PLACE(out, OUT), SHARES(in_type, counts)),
                   ONE(root, out_type, out_count, OUT, NO_SHARE)),
           AT_ROOT(no_data, SENT), unknown(in), elements(out, out_count, out_type),
           AT_ROOT(blocks(in, counts, starts, in_type, comm), nothing))
COLLECTIVE(Scatter, Iscatter,
           (void const* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
            int root),
           (out, out_count, out_type, in, in_count, in_type, root),
           AT_ROOT(ONE(root, out_type, out_count, OUT, UNLESS_IN_PLACE(in, IN)),
                   ONE(root, in_type, in_count, NO_SHARE, IN)),
           no_data, unknown(in), AT_ROOT(elements_for_each(out, out_count, out_type, comm), nothing),
           elements(in, in_count, in_type))
COLLECTIVE(Scatterv, Iscatterv,
           (void const* out, int const counts[], int const starts[], MPI_Datatype out_type, void* in, int in_count,
            MPI_Datatype in_type, int root),
           (out, counts, starts, out_type, in, in_count, in_type, root),
           AT_ROOT(EACH(root, out_type, counts, SHARES(out_type, counts), UNLESS_IN_PLACE(in, IN)),
                   ONE(root, in_type, in_count, NO_SHARE, IN)),
           no_data, unknown(in), AT_ROOT(blocks(out, counts, starts, out_type, comm), nothing),
           elements(in, in_count, in_type))
COLLECTIVE(Reduce, Ireduce, (void const* out, void* in, int count, MPI_Datatype type, MPI_Op op, int root),
           (out, in, count, type, op, root), REDUCES(root), AT_ROOT(no_data, REDUCED), unknown(in), ALL(out),
           AT_ROOT(ALL(in), nothing))
COLLECTIVE(Allgather, Iallgather,
           (void const* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type),
           (out, out_count, out_type, in, in_count, in_type),
           IN_PLACE(ONE(no_root, in_type, in_count, NO_SHARE, IN), ONE(no_root, out_type, out_count, OUT, IN)), no_data,
           unknown(in), elements(out, out_count, out_type), elements_for_each(in, in_count, in_type, comm))
COLLECTIVE(Allgatherv, Iallgatherv,
           (void const* out, int out_count, MPI_Datatype out_type, void* in, int const counts[], int const starts[],
            MPI_Datatype in_type),
           (out, out_count, out_type, in, counts, starts, in_type),
           EACH(no_root, in_type, counts, UNLESS_IN_PLACE(out, OUT), SHARES(in_type, counts)), no_data, unknown(in),
           elements(out, out_count, out_type), blocks(in, counts, starts, in_type, comm))
COLLECTIVE(Alltoall, Ialltoall,
           (void const* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type),
           (out, out_count, out_type, in, in_count, in_type),
           IN_PLACE(ONE(no_root, in_type, in_count, NO_SHARE, IN), ONE(no_root, out_type, out_count, OUT, IN)), no_data,
           unknown(in), elements_for_each(out, out_count, out_type, comm),
           elements_for_each(in, in_count, in_type, comm))
COLLECTIVE(Alltoallv, Ialltoallv,
           (void const* out, int const out_counts[], int const out_starts[], MPI_Datatype out_type, void* in,
            int const in_counts[], int const in_starts[], MPI_Datatype in_type),
           (out, out_counts, out_starts, out_type, in, in_counts, in_starts, in_type),
           IN_PLACE(EACH(no_root, in_type, in_counts, NO_SHARE, SHARES(in_type, in_counts)),
                    EACH(no_root, out_type, out_counts, SHARES(out_type, out_counts), SHARES(in_type, in_counts))),
           no_data, unknown(in), blocks(out, out_counts, out_starts, out_type, comm),
           blocks(in, in_counts, in_starts, in_type, comm))
COLLECTIVE(Alltoallw, Ialltoallw,
           (void const* out, int const out_counts[], int const out_starts[], const MPI_Datatype out_types[], void* in,
            int const in_counts[], int const in_starts[], const MPI_Datatype in_types[]),
           (out, out_counts, out_starts, out_types, in, in_counts, in_starts, in_types),
           EACH(no_root, MPI_DATATYPE_NULL, out == MPI_IN_PLACE ? in_counts : out_counts,
                UNLESS_IN_PLACE(out, SHARES_OF(out_types, out_counts)), SHARES_OF(in_types, in_counts)),
           no_data, unknown(in), blocks_of(out, out_counts, out_starts, out_types, comm),
           blocks_of(in, in_counts, in_starts, in_types, comm))
COLLECTIVE(Allreduce, Iallreduce, (void const* out, void* in, int count, MPI_Datatype type, MPI_Op op),
           (out, in, count, type, op), REDUCES(no_root), no_data, unknown(in), ALL(out), ALL(in))
COLLECTIVE(Reduce_scatter, Ireduce_scatter,
           (void const* out, void* in, int const counts[], MPI_Datatype type, MPI_Op op), (out, in, counts, type, op),
           SAYS(no_root, op, type, counts, of_each_member, SHARES(type, counts), NO_SHARE), no_data, unknown(in),
           shares(out, counts, type, comm, true), shares(in, counts, type, comm, IN_PLACE(true, false)))
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
           (void const* out, void* in, int count, MPI_Datatype type, MPI_Op op), (out, in, count, type, op),
           REDUCES(no_root), no_data, unknown(in), elements_for_each(out, count, type, comm),
           IN_PLACE(elements_for_each(in, count, type, comm), ALL(in)))
COLLECTIVE(Scan, Iscan, (void const* out, void* in, int count, MPI_Datatype type, MPI_Op op),
           (out, in, count, type, op), REDUCES(no_root), no_data, unknown(in), ALL(out), ALL(in))
COLLECTIVE(Exscan, Iexscan, (void const* out, void* in, int count, MPI_Datatype type, MPI_Op op),
           (out, in, count, type, op), REDUCES(no_root), no_data, unknown(in), ALL(out),
           rank_in(comm) == 0 ? nothing : ALL(in))

RECORDER_API int MPI_Barrier(MPI_Comm comm) {
    ENTER;
    unsigned const number = begin_collective("MPI_Barrier", comm, says_nothing, CALLER(), no_data);
    MPI_Request real = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;
    if (!is_made_as_written(number)) {
        code = PROGRAMS(PMPI_Ibarrier(comm, &real));
        code = wait_in_replay(code, real);
    } else {
        code = PROGRAMS(PMPI_Barrier(comm));
    }
    end_collective(number, no_data);
    return code;
}

RECORDER_API int MPI_Ibarrier(MPI_Comm comm, MPI_Request* handle) {
    ENTER;
    unsigned const place = CALLER();
    unsigned const number = begin_collective("MPI_Ibarrier", comm, says_nothing, place, no_data);
    int const code = PROGRAMS(PMPI_Ibarrier(comm, handle));
    keep("MPI_Ibarrier", place, number, no_data, NULL, handle, code);
    return code;
}
