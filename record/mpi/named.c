// Calls that communicate, and of which the recording has nothing but that they were made: at which place, and why they
// are not modelled. The program runs as it would.
//
// Some of these functions are new in MPI-4.0, and no library has all of them. So none is declared here as mpi.h has it:
// each passes on as many words as the longest one takes. Their parameters are integers, pointers and handles, which are
// words; what follows the last one is copied, and nobody looks at it. A function that the library does not have is
// null, and no program calls it.
#include "recorder.h"

static char const large[] = "calls with large counts are not modelled";
static char const later[] = "persistent collective calls are not modelled";
static char const parts[] = "partitioned communication is not modelled";
static char const both[] = "a send and a receive in one nonblocking call are not modelled";
static char const neighbours[] = "neighbourhood collectives are not modelled";
static char const sessions[] = "sessions are not modelled";
static char const copies[] = "communicators that are made in the background are not modelled";
static char const files[] = "files are not modelled: their calls may wait for each other";
static char const own_requests[] = "generalized requests are not modelled";

#define PARAMETERS                                                                                                     \
    uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f, uintptr_t g, uintptr_t h,            \
        uintptr_t i, uintptr_t j, uintptr_t k, uintptr_t l, uintptr_t m, uintptr_t n, uintptr_t o, uintptr_t p
#define ARGUMENTS a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p

// The names are those of the library's symbols: mpi.h declares the functions otherwise, if it does.
#define NAMED(name, why)                                                                                               \
    int library_##name(PARAMETERS) __asm__("PMPI_" #name) __attribute__((weak));                                       \
    RECORDER_API int named_##name(PARAMETERS) __asm__("MPI_" #name);                                                   \
    int named_##name(PARAMETERS) {                                                                                     \
        ENTER;                                                                                                         \
        not_modelled("MPI_" #name, CALLER(), why);                                                                     \
        return PROGRAMS(library_##name(ARGUMENTS));                                                                    \
    }
#define NAMED2(first, second, why) NAMED(first, why) NAMED(second, why)
/// A collective call and the nonblocking one, of large counts, and the persistent ones.
#define COLLECTIVE(name, iname) NAMED2(name##_c, iname##_c, large) NAMED2(name##_init, name##_init_c, later)

NAMED2(Send_c, Isend_c, large)
NAMED2(Bsend_c, Ibsend_c, large)
NAMED2(Ssend_c, Issend_c, large)
NAMED2(Rsend_c, Irsend_c, large)
NAMED2(Recv_c, Irecv_c, large)
NAMED2(Mrecv_c, Imrecv_c, large)
NAMED2(Send_init_c, Bsend_init_c, large)
NAMED2(Ssend_init_c, Rsend_init_c, large)
NAMED(Recv_init_c, large)
NAMED2(Sendrecv_c, Sendrecv_replace_c, large)
NAMED2(Isendrecv, Isendrecv_c, both)
NAMED2(Isendrecv_replace, Isendrecv_replace_c, both)
NAMED2(Psend_init, Precv_init, parts)

NAMED(Barrier_init, later)
COLLECTIVE(Bcast, Ibcast)
COLLECTIVE(Gather, Igather)
COLLECTIVE(Gatherv, Igatherv)
COLLECTIVE(Scatter, Iscatter)
COLLECTIVE(Scatterv, Iscatterv)
COLLECTIVE(Allgather, Iallgather)
COLLECTIVE(Allgatherv, Iallgatherv)
COLLECTIVE(Alltoall, Ialltoall)
COLLECTIVE(Alltoallv, Ialltoallv)
COLLECTIVE(Alltoallw, Ialltoallw)
COLLECTIVE(Reduce, Ireduce)
COLLECTIVE(Allreduce, Iallreduce)
COLLECTIVE(Reduce_scatter, Ireduce_scatter)
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block)
COLLECTIVE(Scan, Iscan)
COLLECTIVE(Exscan, Iexscan)

/// Of neighbours; unmodelled.c has most of the blocking calls.
#define OF_NEIGHBOURS(name)                                                                                            \
    NAMED2(Neighbor_##name##_c, Ineighbor_##name##_c, neighbours)                                                      \
    NAMED2(Neighbor_##name##_init, Neighbor_##name##_init_c, neighbours)                                               \
    NAMED(Ineighbor_##name, neighbours)
OF_NEIGHBOURS(allgather)
OF_NEIGHBOURS(allgatherv)
OF_NEIGHBOURS(alltoall)
OF_NEIGHBOURS(alltoallv)
OF_NEIGHBOURS(alltoallw)
NAMED(Neighbor_alltoallw, neighbours)

NAMED2(Put_c, Rput_c, large)
NAMED2(Get_c, Rget_c, large)
NAMED2(Accumulate_c, Raccumulate_c, large)
NAMED2(Get_accumulate_c, Rget_accumulate_c, large)
NAMED2(Win_create_c, Win_allocate_c, large)
NAMED(Win_allocate_shared_c, large)

NAMED2(Comm_create_from_group, Intercomm_create_from_groups, sessions)
NAMED(Comm_idup_with_info, copies)
NAMED(File_open, files)
NAMED(Grequest_start, own_requests)
