// Calls that the trace language has no words for. The program runs as it would, and the recording says that it is
// incomplete: at which call, and why.
#include "recorder.h"

static char const one_request[] = "one-sided communication with a request is not modelled";
static char const spawned[] = "processes that are started or joined later are not modelled";
static char const neighbours[] = "neighbourhood collectives are not modelled";
static char const inter[] = "intercommunicators are not modelled";

#define UNMODELLED(name, why, parameters, arguments)                                                                   \
    RECORDER_API int MPI_##name parameters {                                                                           \
        ENTER;                                                                                                         \
        not_modelled("MPI_" #name, CALLER(), why);                                                                     \
        return PROGRAMS(PMPI_##name arguments);                                                                        \
    }

/// The same of an access of a window, whose arguments, epoch and buffers are looked at.
#define UNMODELLED_ACCESS(name, why, parameters, arguments, ...)                                                       \
    RECORDER_API int MPI_##name parameters {                                                                           \
        ENTER;                                                                                                         \
        unsigned const place = CALLER();                                                                               \
        not_modelled("MPI_" #name, place, why);                                                                        \
        struct remote_call const remote = {.function = "MPI_" #name,                                                   \
                                           .place = place,                                                             \
                                           .win = win,                                                                 \
                                           .target = target,                                                           \
                                           .displacement = at,                                                         \
                                           .count = target_count,                                                      \
                                           .type = target_type,                                                        \
                                           .compared = no_data,                                                        \
                                           __VA_ARGS__};                                                               \
        remote_call_begins(&remote);                                                                                   \
        int const code = PROGRAMS(PMPI_##name arguments);                                                              \
        remote_call_is_issued(code);                                                                                   \
        return code;                                                                                                   \
    }
#define READS                                                                                                          \
    { data, count, type }
#define READS_UNLESS_NO_OP op == MPI_NO_OP ? no_data : (struct data)READS

UNMODELLED_ACCESS(Rput, one_request,
                  (void const* data, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                   MPI_Datatype target_type, MPI_Win win, MPI_Request* request),
                  (data, count, type, target, at, target_count, target_type, win, request), .read = READS,
                  .written = no_data, .by_request = true)
UNMODELLED_ACCESS(Rget, one_request,
                  (void* data, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                   MPI_Datatype target_type, MPI_Win win, MPI_Request* request),
                  (data, count, type, target, at, target_count, target_type, win, request), .read = no_data,
                  .written = READS, .by_request = true)
UNMODELLED_ACCESS(Raccumulate, one_request,
                  (void const* data, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                   MPI_Datatype target_type, MPI_Op op, MPI_Win win, MPI_Request* request),
                  (data, count, type, target, at, target_count, target_type, op, win, request), .read = READS,
                  .written = no_data, .by_request = true)
UNMODELLED_ACCESS(Rget_accumulate, one_request,
                  (void const* data, int count, MPI_Datatype type, void* result, int result_count,
                   MPI_Datatype result_type, int target, MPI_Aint at, int target_count, MPI_Datatype target_type,
                   MPI_Op op, MPI_Win win, MPI_Request* request),
                  (data, count, type, result, result_count, result_type, target, at, target_count, target_type, op, win,
                   request),
                  .read = READS_UNLESS_NO_OP, .written = {result, result_count, result_type}, .by_request = true)
UNMODELLED(Comm_spawn, spawned,
           (char const* command, char* argv[], int n, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made,
            int codes[]),
           (command, argv, n, info, root, comm, made, codes))
UNMODELLED(Comm_spawn_multiple, spawned,
           (int count, char* commands[], char** argvs[], int const ns[], const MPI_Info infos[], int root,
            MPI_Comm comm, MPI_Comm* made, int codes[]),
           (count, commands, argvs, ns, infos, root, comm, made, codes))
UNMODELLED(Comm_accept, spawned, (char const* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made),
           (port, info, root, comm, made))
UNMODELLED(Comm_connect, spawned, (char const* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made),
           (port, info, root, comm, made))
UNMODELLED(Comm_join, spawned, (int socket, MPI_Comm* made), (socket, made))
UNMODELLED(Intercomm_create, inter,
           (MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm* made),
           (local, local_leader, peer, remote_leader, tag, made))
UNMODELLED(Intercomm_merge, inter, (MPI_Comm comm, int high, MPI_Comm* made), (comm, high, made))
UNMODELLED(Comm_idup, "communicators that are made in the background are not modelled",
           (MPI_Comm comm, MPI_Comm* made, MPI_Request* request), (comm, made, request))
UNMODELLED(Neighbor_allgather, neighbours,
           (void const* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
            MPI_Comm comm),
           (out, out_count, out_type, in, in_count, in_type, comm))
UNMODELLED(Neighbor_allgatherv, neighbours,
           (void const* out, int out_count, MPI_Datatype out_type, void* in, int const counts[], int const starts[],
            MPI_Datatype in_type, MPI_Comm comm),
           (out, out_count, out_type, in, counts, starts, in_type, comm))
UNMODELLED(Neighbor_alltoall, neighbours,
           (void const* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
            MPI_Comm comm),
           (out, out_count, out_type, in, in_count, in_type, comm))
UNMODELLED(Neighbor_alltoallv, neighbours,
           (void const* out, int const out_counts[], int const out_starts[], MPI_Datatype out_type, void* in,
            int const in_counts[], int const in_starts[], MPI_Datatype in_type, MPI_Comm comm),
           (out, out_counts, out_starts, out_type, in, in_counts, in_starts, in_type, comm))
