// The fourth layer of the recorder: what the functions of MPI have in common.
#pragma once

#include "tables.h"

// ---- calls.c --------------------------------------------------------------------------------------------------------

/// The communicator of a call; null, and said so, if its calls cannot be written down.
struct communicator* modelled(char const* function, MPI_Comm comm, unsigned place);
/// Whether a receive or a probe of this communicator can have such arguments. The library refuses others, and nothing
/// happens.
bool can_receive(struct communicator const* c, int from, int tag);
/// In a line: the rank in MPI_COMM_WORLD and the tag that a receive or a probe asks for, `*` for any.
void add_wanted(struct communicator const* c, int from, int tag);

/// The receive of what a matched probe took starts.
void start_matched(struct request* r, void* buffer, int count, MPI_Datatype type);
/// A send or receive is issued, also one that is persistent. Gives it its number.
void issue(struct request* r, unsigned place);
/// The rank waits: "wait" for all of these, "any" for one of them, "some" for those that are complete.
void begin_wait(char const* word, unsigned place, struct request* const* requests, int n);
/// Around MPI_Buffer_detach.
void begin_detach(unsigned place);
void end_detach(void);
/// Around a call that may wait for other ranks, and of which no other line says so: WAITS("MPI_Win_lock", place, call).
void waits_in(char const* function, unsigned place);
int has_waited(int code);
#define WAITS(function, place, call) (waits_in(function, place), has_waited(PROGRAMS(call)))
/// Replay: waits for a request that is not kept, in `r->real`.
int wait_here(struct request* r, MPI_Status* status);
/// Replay: between two looks at requests that are not complete.
void pause_in_replay(void);
/// Replay: if a rank is off the schedule, the receives that are posted admit from now on what the program says.
void receives_leave_schedule(void);
/// What was issued is complete, and the library has returned this code. `status` is that of a receive, or of what the
/// program may have cancelled.
void completed(struct request* r, MPI_Status const* status, int code);
/// What was issued did not come about, as the library's code says.
void failed(struct request* r);

// ---- polls.c --------------------------------------------------------------------------------------------------------

/// A test begins of those of n requests that are not null. The kind: "one", "among" (one of them has to be complete),
/// "some" (those that are), "all". Null if it is not written down.
struct poll* poll_of(char const* kind, unsigned place, struct request* const* requests, int n);
/// The same of a probe that does not wait.
struct poll* poll_of_probe(unsigned place, struct communicator const* c, int from, int tag);
/// The same of MPI_Cancel of a receive, which looks whether a message has matched it. Each one is a test of its own.
struct poll* poll_of_cancel(unsigned place, struct request const* r);
void poll_has_failed(struct poll* p);
void poll_has_succeeded(struct poll const* p);
/// Replay: this test is to fail. The library may need to be called all the same to get on.
bool poll_is_held_back(struct poll const* p);
void look_at_held_back(MPI_Request const* real, int n);
/// Replay: this test is to succeed, and has not yet: it has waited a little, and has to look again.
bool poll_goes_on(struct poll* p);

/// What a process gives to a collective call or gets from it; a negative count: nothing that is written down.
struct data {
    void const* buffer;
    int count;
    MPI_Datatype type;
};
#define no_data ((struct data){NULL, -1, MPI_DATATYPE_NULL})

enum { not_recorded = UINT32_MAX, no_root = INT32_MIN, of_each_member = -1 };
/// What a rank sends in a collective call, or receives: elements of a type, or of one for each member.
struct share {
    MPI_Datatype type;
    MPI_Datatype const* types; // of each member; null if all have `type`
    int const* counts;         // null if nothing is known, or there is nothing
    int n;                     // how many counts there are; of_each_member: one for each
};
/// What a collective call says that has to agree with the calls of the other ranks.
struct said {
    int root; // a rank of the communicator, or no_root
    MPI_Op op;
    MPI_Datatype type;
    int const* counts;
    int n; // how many counts there are; of_each_member: one for each
    struct share sends, gets;
};
#define says_nothing ((struct said){.root = no_root, .op = MPI_OP_NULL, .type = MPI_DATATYPE_NULL})
/// A collective call begins. Returns its number, or not_recorded.
unsigned begin_collective(char const* function, MPI_Comm comm, struct said said, unsigned place, struct data out);
void end_collective(unsigned number, struct data in);

// ---- arguments.c ----------------------------------------------------------------------------------------------------

// What the library refuses, or need not: said before it is called, as that may end the program.
void check_send(char const* function, unsigned place, void const* buffer, int count, MPI_Datatype type, int to, int tag,
                MPI_Comm comm);
void check_receive(char const* function, unsigned place, void const* buffer, int count, MPI_Datatype type, int from,
                   int tag, MPI_Comm comm);
void check_probe(char const* function, unsigned place, int from, int tag, MPI_Comm comm);
void check_collective(char const* function, unsigned place, MPI_Comm comm, struct said said);
void check_color(char const* function, unsigned place, int color);
/// A type that another one is made of: it need not be committed.
void check_part(char const* function, unsigned place, MPI_Datatype type);
/// The sizes of a Cartesian grid; and a communicator that has to have one.
void check_sizes(char const* function, unsigned place, MPI_Comm comm, int dims, int const sizes[]);
void check_grid(char const* function, unsigned place, MPI_Comm comm);
void check_old_communicator(char const* function, unsigned place, MPI_Comm comm);
void check_direction(char const* function, unsigned place, MPI_Comm comm, int dimension);
/// A graph: where the neighbours of each node end, and what they are.
void check_graph(char const* function, unsigned place, MPI_Comm comm, int nodes, int const index[], int const edges[]);
/// The members of a group that a new one has or has not, each once; those that are looked up in another group; a group
/// of some ranks of a communicator.
void check_members(char const* function, unsigned place, MPI_Group group, int n, int const ranks[]);
void check_translated(char const* function, unsigned place, MPI_Group group, int n, int const ranks[]);
void check_is_part(char const* function, unsigned place, MPI_Comm comm, MPI_Group group);
/// What is to be freed.
void check_not_freed(char const* function, unsigned place, enum object kind, uintptr_t handle, char const* what);
/// A buffer of buffered sends is attached (or detached) where there is one (or none).
void check_attached(char const* function, unsigned place, bool is_attached, bool should_be);
/// A request that is to be cancelled.
void check_cancelled(char const* function, unsigned place, MPI_Request handle, struct request const* r);
/// An access of a window.
struct remote_call {
    char const* function;
    unsigned place;
    MPI_Win win;
    int target;
    MPI_Aint displacement;
    int count;                           // of the elements there
    MPI_Datatype type;                   // and their type
    struct data read, compared, written; // buffers of the rank itself
    bool by_request;
};
void check_remote_call(struct remote_call const* call);
/// A rank of a window that a call names; the memory of a new one; and what it asserts, of which some bits mean
/// something.
void check_target(char const* function, unsigned place, MPI_Win win, int target);
void check_memory(char const* function, unsigned place, void const* base, MPI_Aint size);
void check_assertion(char const* function, unsigned place, int assertion, int known);
/// A call for which the library has nowhere to write to, or no array to read: whether a pointer is null, to something.
bool is_nowhere(char const* function, unsigned place, bool is_null, char const* what);
/// A handle that must not be null, of something: "request".
void check_not_null(char const* function, unsigned place, bool is_null, char const* what);

// ---- memory.c -------------------------------------------------------------------------------------------------------

struct window {
    unsigned number;        // in the file
    unsigned place_in_comm; // the how manieth of its communicator
    MPI_Win handle;         // MPI_WIN_NULL: it has been freed
    struct communicator* comm;
    unsigned char* base;
    size_t size;
    int unit;            // of displacements
    int* units;          // of each rank
    unsigned char* seen; // what its memory held last; null if it is too large to be watched
    struct window* next;
};

/// The program has made a window.
void open_window(char const* function, unsigned place, void* base, MPI_Aint size, int unit, MPI_Comm comm,
                 MPI_Win handle);
/// Null for windows that the recorder does not know.
struct window* find_window(MPI_Win handle);
/// The window whose memory of this rank has this address; null if no window has it.
struct window* window_at(void const* address);
/// Whether the address may be memory of a window, also of one that is not modelled.
bool is_window_memory(void const* address);
void window_has_memory(MPI_Win handle, void const* base, MPI_Aint size);
void window_has_gone(MPI_Win handle);
void window_may_grow(void); // also into memory of others
/// Writes down what the program has stored in its windows. Called before a call after which other ranks may go on.
void look_at_windows(void);

// ---- flushes.c ------------------------------------------------------------------------------------------------------

enum { all_targets = INT32_MIN }; // of a flush; no rank, and not MPI_PROC_NULL

/// Writes down what a buffer holds, if that is not known.
void look_at_buffer(void const* address, int size, MPI_Datatype type);
/// In a line: `w0.8`, byte 8 of window 0, or `b3`, buffer 3; `-`: none.
void add_local(void const* address, int size);
/// A get, or a remote atomic that fetches; another access. The target is a rank of MPI_COMM_WORLD.
void fetch_is_pending(struct window* w, int target, void* address, MPI_Datatype type);
void write_is_pending(struct window* w, int target);
/// The library has flushed: the target in MPI_COMM_WORLD, or all of them.
void flushed(struct window* w, unsigned place, int target);
/// A local flush waits for what a get has to bring, and not for a put to be there.
void flushed_locally(char const* function, struct window* w, unsigned place, int target);

// ---- epochs.c -------------------------------------------------------------------------------------------------------

/// The program has made a window, all ranks of the communicator together: its memory here, if it is one (or -1). And it
/// is about to free it.
void watch_window(MPI_Win win, MPI_Comm comm, MPI_Aint bytes, int unit);
void unwatch_window(unsigned place, MPI_Win win);
/// How many bytes a window has at a rank from a displacement on, and how many ranks it has; -1: not known.
MPI_Aint room_in_window(MPI_Win win, int target, MPI_Aint displacement);
int ranks_of_window(MPI_Win win);

// The program is about to make a call. Ranks are those of the window.
void access_in_epoch(char const* function, unsigned place, MPI_Win win, int target, bool by_request);
/// The target is negative if all ranks are flushed.
void flush_in_epoch(char const* function, unsigned place, MPI_Win win, int target);
void fence_in_epoch(unsigned place, int assertion, MPI_Win win);
void lock_in_epoch(unsigned place, MPI_Win win, int target);
void lock_all_in_epoch(unsigned place, MPI_Win win);
void unlock_in_epoch(unsigned place, MPI_Win win, int target);
void start_in_epoch(unsigned place, MPI_Win win, int const* ranks, int n);
void post_in_epoch(unsigned place, MPI_Win win);
enum end_of_epoch { unlocks_all, completes, waits, tests, has_tested };
void end_in_epoch(enum end_of_epoch end, unsigned place, MPI_Win win);
/// At the end: epochs of windows that were not freed.
void find_open_epochs(void);

// ---- accesses.c -----------------------------------------------------------------------------------------------------

/// Around each call that accesses a window.
void remote_call_begins(struct remote_call const* call);
void remote_call_is_issued(int code);
/// How many bytes the accesses have at their targets that no call has waited for since.
uint64_t bytes_on_the_way(void);
/// Around each call that waits for accesses of a rank of the window, or of all (negative). A local one waits for
/// buffers.
void accesses_are_awaited(MPI_Win win, int target, unsigned place);
void accesses_are_complete(MPI_Win win, int target, unsigned place, bool is_local);
/// A flush of one rank is about to begin: there may be accesses, but only of others.
void only_one_is_flushed(MPI_Win win, int target, unsigned place);
/// Other ranks may go on when the rank makes a call: says which accesses a flush has missed.
void look_at_missed_accesses(void);
