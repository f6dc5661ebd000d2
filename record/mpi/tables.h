// The third layer of the recorder: what stands for the handles of MPI, and what a replay is to do.
#pragma once

#include "values.h"

// ---- communicators.c ------------------------------------------------------------------------------------------------

struct communicator {
    unsigned number; // in the file
    MPI_Comm handle;
    char* name; // the same in all its ranks, and of no other communicator
    int size;
    int rank;          // of this process
    int* world;        // rank -> rank in MPI_COMM_WORLD
    unsigned children; // calls so far in which all its ranks made communicators from it
    bool is_inter;     // between two groups: not modelled
    bool is_freed;     // its handle is no longer valid
};

void start_communicators(void);
/// Null for MPI_COMM_NULL and for communicators that the recorder does not know.
struct communicator* find_communicator(MPI_Comm comm);
/// The rank in MPI_COMM_WORLD of a rank in it; -1 for MPI_PROC_NULL and what is not a rank.
int world_rank(struct communicator const* c, int rank);
/// All ranks of the parent have made a call that makes communicators. MPI_COMM_NULL if this rank is in none.
void made_from(MPI_Comm parent, MPI_Comm made);
/// The ranks of a group have made such a call: the calls of one group come in the same order for all its ranks.
void made_by_group(MPI_Comm parent, int tag, MPI_Comm made);
/// The program frees it. What is pending lives on; nothing can be posted anew.
void communicator_is_gone(MPI_Comm comm);

// ---- objects.c ------------------------------------------------------------------------------------------------------

/// The program has made something that it has to free, or frees it. What it has not made is left alone.
void object_made(enum object kind, uintptr_t handle, char const* function, unsigned place);
void object_freed(enum object kind, uintptr_t handle);
void type_committed(MPI_Datatype type);
/// Whether the program has made this type, and not committed it.
bool is_uncommitted(MPI_Datatype type);
/// At the end: what has not been freed.
void find_leaks(void);

// ---- requests.c -----------------------------------------------------------------------------------------------------

enum kind { is_send, is_receive, is_collective };

/// A call that is issued and not yet complete, or persistent.
struct request {
    unsigned number; // of the send or receive in this rank, from 0; a persistent one gets a new one at each start
    enum kind kind;
    char const* function; // that has issued or made it
    unsigned made_at;     // the place of that
    unsigned place;       // where it was issued, or started last
    MPI_Request handle;   // of no other request that is kept
    struct communicator* comm;
    int peer; // as the program gave it
    int tag;
    char mode; // of a send: 's' standard, 'S' synchronous, 'b' buffered, 'r' ready
    void* buffer;
    int count;
    MPI_Datatype type;
    bool owns_type;       // it is a copy
    unsigned type_number; // in the file, of the type that the program gave
    bool is_persistent, is_active;
    bool is_matched;       // it receives what a matched probe took
    bool may_be_cancelled; // the program has asked for that
    bool is_withdrawn;     // a receive: MPI_Cancel came in time
    bool was_started;      // of a persistent one
    bool is_one_sided;     // no message: an access of a window that reads (a send) or writes (a receive) a buffer
    bool is_part;          // the same of a collective call
    struct request* parts; // of a collective call that is not complete: its buffers, in a list
    struct span {          // the memory that it may use while it is pending (buffers.c)
        char const *begin, *end, *furthest;
        struct request *left, *right;
        uint32_t priority;
        bool is_pending, is_dense, has_overlap;
        uint64_t contents; // of a send, when it was issued; 0: not known
    } span;
    bool is_listed; // in the call that is being executed
    // Replay: the handle that the library knows. It differs from `handle`, which the program has, once the receive had
    // to be posted anew.
    MPI_Request real;
    bool owns_handle;  // the library keeps `handle` for it, whose receive is over
    bool is_scheduled; // it admits what the schedule says, and not yet what the program says
    bool is_complete;  // it was complete when it should have been posted anew; with this status
    MPI_Status status;
    struct request* next; // with the same hash, or the next part
};
enum { no_type_number = UINT32_MAX };

/// The number of the next send, receive or collective call of this rank, and the one after it from then on.
unsigned new_number(void);
unsigned next_number(void);
/// Before what a handle stands for is kept: finds out which handles the library gives to several requests.
void find_shared_handles(void);
/// Keeps a copy of what is described, by its handle. Where the library gives several requests that are complete at once
/// the same one, it is replaced by one of its own. What is described may be freed by the program: communicators and
/// types live on.
struct request* keep_request(struct request const* described, MPI_Request* handle);
/// What a handle stands for. Null if that is unknown.
struct request* find_request(MPI_Request handle);
void forget_request(struct request* r);
/// Copies its type if the program has made it, which may free it before the request is complete.
void own_type(struct request* r);
/// At the end: those that are not complete, and persistent ones that were not started or freed.
void find_unfinished_requests(void);
/// Calls f with every active request that is_scheduled, in the order of their numbers.
void for_each_scheduled(void (*f)(struct request* r));

// ---- buffers.c ------------------------------------------------------------------------------------------------------

/// Whether any memory is that of what is pending.
bool some_buffer_is_pending(void);
/// A send or a receive is about to be issued: says so if it must not use its memory now.
void look_at_buffer_of(struct request* r);
/// It was issued, and the program goes on. It is kept.
void buffer_is_pending(struct request* r);
/// It is no longer pending. Says so if the buffer of a send, or what a collective call reads, has changed.
void buffer_is_free(struct request* r);
/// Both are about to be issued, by one call.
void compare_buffers(struct request* a, struct request* b);
/// The same without a word: the program will not learn when it is complete.
void buffer_is_forgotten(struct request* r);
/// Where the rank waits, or has tested last: it learns there that something is complete.
void now_waits_at(unsigned place);

// ---- parts.c --------------------------------------------------------------------------------------------------------

/// What a collective call reads or writes: `count` elements side by side, or blocks of so many elements each. Blocks
/// begin at displacements in extents of the type; with a type for each block, in bytes.
struct memory {
    void const* buffer;
    int64_t count;
    MPI_Datatype type;
    int blocks; // 0: there are none
    int const *counts, *starts;
    MPI_Datatype const* types;
};
/// Whether what a call reads and what it writes can be in the same place, by the bounds of both.
bool may_meet(struct memory const* read, struct memory const* written);
/// A collective call is about to be made: says so if it must not use its memory now. Its buffers, which are allocated,
/// until `forget_parts`.
struct request* parts_of(char const* function, unsigned place, struct memory const* read, struct memory const* written);
/// It was issued, and the program goes on.
void parts_are_pending(struct request* parts);
void forget_parts(struct request* parts);

// ---- schedule.c -----------------------------------------------------------------------------------------------------

void read_schedule(char const* folder, int rank);
bool is_replaying(void);
/// Whether this send is to wait for its receive, as the schedule says. Sends that it does not know wait in a run as if
/// the library had no buffers, unless they are buffered. If a buffered one waits, the detach of its buffer does.
bool send_waits(struct request const* r);
/// A collective call of this number has begun: the ranks that the schedule says wait for it.
void announce_as_scheduled(unsigned number);
/// Whether all ranks have made their calls that it is to wait for.
bool has_met_as_scheduled(unsigned number);
/// Whether a collective call of this number is made as the program has written it. In a replay, a blocking one is made
/// as a nonblocking one otherwise, which is waited for.
bool is_made_as_written(unsigned number);
/// Some rank has done something else than in the recorded run, so the schedule no longer means anything.
bool is_off_schedule(void);
/// A call that gets its number now: is it what it was in the recorded run?
void compare_with_schedule(struct request const* r, unsigned place);
/// Whether the program is to cancel this receive before a message matches it: none must.
bool is_withdrawn_as_scheduled(struct request const* r);
/// The source and tag that a receive is to admit, as a rank of its communicator. False: what the program says.
bool scheduled(struct request const* r, int* from, int* tag);
/// The same for probe n of this rank, from 0.
bool scheduled_probe(struct communicator const* c, unsigned n, int* from, int* tag);
/// When the rank learned in the recorded run that a request was complete: 1, 2, 3 ...; 0 if that is not known.
unsigned place_in_order(unsigned number);
/// Whether it learned of the second one directly after the first, and did nothing in between.
bool is_next_in_order(unsigned number, unsigned next);
/// What the tests of a group are to find: so many fail, and then all others, too, or the next one succeeds, or they are
/// free.
enum then { then_fails, then_succeeds, then_free };
struct planned_poll {
    uint64_t fails;
    enum then then;
};
/// False if the schedule does not say so.
bool scheduled_poll(unsigned number, struct planned_poll* plan);
/// What the schedule asks of this call does not come: the rank goes its own way.
void give_up_schedule(unsigned number, unsigned place);
/// How often the launcher has found that no rank can go on but those that await that a test succeeds.
long times_standing(void);
/// A test fails that the schedule wants to succeed. If the rank tests again and again, it waits, and is on the
/// schedule. If it issues anything else, it is off.
void let_test_fail(void);
/// Lets others run, in a loop that waits.
void nap(void);
