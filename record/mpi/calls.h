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
/// Replay: waits for a request that is not kept, in `r->real`.
int wait_here(struct request* r, MPI_Status* status);
/// Replay: between two looks at requests that are not complete.
void pause_in_replay(void);
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
void poll_has_failed(struct poll* p);
void poll_has_succeeded(struct poll const* p);
/// Replay: this test is to fail. The library may need to be called all the same to get on.
bool poll_is_held_back(struct poll const* p);
void look_at_held_back(MPI_Request const* real, int n);
/// Replay: this test is to succeed, and has not yet: it has waited a little, and has to look again.
bool poll_goes_on(struct poll const* p);

/// What a process gives to a collective call or gets from it; a negative count: nothing that is written down.
struct data {
    void const* buffer;
    int count;
    MPI_Datatype type;
};
#define no_data ((struct data){NULL, -1, MPI_DATATYPE_NULL})

enum { not_recorded = UINT32_MAX, no_root = INT32_MIN, of_each_member = -1 };
/// What a collective call says that has to agree with the calls of the other ranks.
struct said {
    int root; // a rank of the communicator, or no_root
    MPI_Op op;
    MPI_Datatype type;
    int const* counts;
    int n; // how many counts there are; of_each_member: one for each
};
#define says_nothing ((struct said){no_root, MPI_OP_NULL, MPI_DATATYPE_NULL, NULL, 0})
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
/// A rank of a window.
void check_target(char const* function, unsigned place, struct communicator const* c, int target);
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
/// Writes down what the program has stored in its windows. Called before a call after which other ranks may go on.
void look_at_windows(void);
