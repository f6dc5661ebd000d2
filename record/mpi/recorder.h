// What the files of the recorder share. The recorder sits between an MPI program and its MPI library: it defines the
// MPI_ functions that communicate, writes down each call, and calls the PMPI_ function of the same name.
//
//   log.c             the file of this rank
//   places.c          where calls come from
//   communicators.c   names that all ranks agree on, and ranks of MPI_COMM_WORLD
//   values.c          what a message carries, as a number or an expression
//   requests.c        what is issued and not yet complete
//   messages.c        sends and receives                  completions.c   waits and tests
//   probes.c          probes                              collectives.c   collective calls
//   session.c         MPI_Init to MPI_Finalize            unmodelled.c    what the trace language has no words for
//   windows.c         one-sided communication
//   expressions.c     what programs say with <matchpoint/mpi.h>
//   schedule.c        replay: which message each receive takes
//   crashes.c         whose fault it is that a rank dies
//
// docs/formats.md has the grammar of the file. All functions are for one thread at a time: MPI_THREAD_MULTIPLE is not
// granted (session.c).
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Marks what other objects see; all else is hidden.
#define RECORDER_API __attribute__((visibility("default")))

/// The call site of the MPI_ function that is being executed.
#define CALLER() place_of(__builtin_return_address(0))

// ---- log.c ----------------------------------------------------------------------------------------------------------

/// Opens the file of this rank in a folder. Each line is there for good once its `end_line` returns, even if the
/// process is killed: the file is mapped, and its pages belong to the kernel. Its end is zeros until `close_log`.
void open_log(char const* folder, int rank, int size);
/// Whether calls are written down. False before MPI_Init, after MPI_Finalize, in a forked child, and if the disk was
/// full from the beginning. If it fills up later, the file says so, and later lines are lost. A replay goes on anyway.
bool is_recording(void);
bool is_full(void);
void close_log(void);

/// A line: `begin_line("recv"); add_number(3); add_text("*"); end_line();`. Fields are separated by blanks.
/// Zeroed memory. Without any the process ends: it cannot go on as if it were recorded.
void* allocate(size_t size);
void begin_line(char const* word);
void add_text(char const* text);
void add_number(int64_t n);
void add_hexadecimal(uint64_t n);
void end_line(void);
/// The same of a line that says how the rank ends: also when the disk is full.
void end_line_in_any_case(void);

/// The rank dies while the recorder is at work. Safe in a signal handler; the last line of the file.
void write_crash(char const* function, char const* how, int code);

// ---- crashes.c ------------------------------------------------------------------------------------------------------

/// What a thread is doing.
struct work {
    char const* function;       // of the recorder, that the program has called; null if none
    bool volatile is_recorders; // and it is our own work, not what the program has asked the library for
    // A buffer of the program that is being read.
    char const* volatile begin;
    char const* volatile end;
};
extern __thread struct work work;

static inline struct work enter_recorder(char const* function) {
    struct work const before = work;
    work = (struct work){.function = function, .is_recorders = true};
    return before;
}
static inline void leave_recorder(struct work const* before) { work = *before; }
static inline int back_in_recorder(int code) {
    work.is_recorders = true;
    return code;
}

/// Begins each function that programs call. A crash in it is ours, but for what PROGRAMS encloses: a call of the
/// library that the program has made. A library may call such functions itself.
#define ENTER __attribute__((cleanup(leave_recorder), unused)) struct work const entered_from = enter_recorder(__func__)
#define PROGRAMS(call) (work.is_recorders = false, back_in_recorder(call))

/// The program's buffer is read from here on, until `end_reading`: it is the program's fault if that cannot be done.
static inline void begin_reading(void const* buffer, size_t size) {
    work.end = (char const*)buffer + size;
    work.begin = buffer;
}
static inline void end_reading(void) { work.begin = NULL; }

/// The file says from now on if the rank dies by our fault.
void watch_for_crashes(void);

// ---- places.c -------------------------------------------------------------------------------------------------------

/// The number of a place of the program, from 1; 0 if its object is unknown. New ones are written down.
unsigned place_of(void const* return_address);
/// The same of a line of source, with a file name that lives on.
unsigned place_in_source(char const* file, int line);

// ---- session.c ------------------------------------------------------------------------------------------------------

/// Calls come from the thread that calls this, or from several one after the other.
void expect_threads(int granted);
/// Says so if another thread calls MPI now.
void check_thread(void);

// ---- unmodelled.c ---------------------------------------------------------------------------------------------------

/// The recording is incomplete from here on: says so on standard error and in the file, once for each function.
void not_modelled(char const* function, unsigned place, char const* why);
/// The recording is right, but says less than the program does: "MPI_Iprobe looks at time". Once for each function.
void remark(char const* function, unsigned place, char const* what);
/// The program does not get what it asks for, which is the first word: if it fails, that may be why.
void refused(char const* function, unsigned place, char const* what);

// ---- communicators.c
// --------------------------------------------------------------------------------------------------------

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

// ---- values.c -------------------------------------------------------------------------------------------------------

/// The number that stands for the contents of a buffer: its first element if that is an integer, otherwise a hash of
/// all of it that has 32 bits. 0 for an empty one.
int64_t value_of(void const* buffer, int count, MPI_Datatype type);
/// Whether the type is a C integer type; then the size of one in bytes, negative if it is signed.
int integer_size(MPI_Datatype type);
/// The name of an operation in files. Null if the language has no such operation on integers.
char const* name_of_operation(MPI_Op op);
/// Adds a field: the name of the expression that the program has computed for the buffer (matchpoint/mpi.h); `=4` if
/// that is a constant; or its value, which may depend on anything.
void add_value(void const* buffer, int count, MPI_Datatype type);
/// The same of one element, as text.
void print_value(char* text, size_t size, void const* buffer, MPI_Datatype type);

// ---- expressions.c --------------------------------------------------------------------------------------------------

/// The buffer has now what a request received, or something that has no expression.
void received_into(void const* buffer, unsigned request);
void overwritten(void const* buffer);

// ---- windows.c ------------------------------------------------------------------------------------------------------

/// Writes down what the program has stored in its windows. Called before a call after which other ranks may go on.
void look_at_windows(void);

// ---- schedule.c -----------------------------------------------------------------------------------------------------

struct request;
void read_schedule(char const* folder, int rank);
bool is_replaying(void);
/// Standard sends wait for their receives, as if the library had no buffers.
bool sends_wait(void);
/// Some rank has done something else than in the recorded run, so the schedule no longer means anything.
bool is_off_schedule(void);
/// A call that gets its number now: is it what it was in the recorded run?
void compare_with_schedule(struct request const* r, unsigned place);
/// The source and tag that a receive is to admit, as a rank of its communicator. False: what the program says.
bool scheduled(struct request const* r, int* from, int* tag);
/// The same for a probe; `next` is the number of the next call.
bool scheduled_probe(struct communicator const* c, unsigned next, int* from, int* tag);
/// When the rank learned in the recorded run that a request was complete: 1, 2, 3 ...; 0 if that is not known.
unsigned place_in_order(unsigned number);
/// Whether it learned of the second one directly after the first, and did nothing in between.
bool is_next_in_order(unsigned number, unsigned next);
/// Lets others run, in a loop that waits.
void nap(void);

// ---- messages.c, completions.c
// ----------------------------------------------------------------------------------------------

struct request;
/// A send or receive is issued, also one that is persistent. Gives it its number.
void issue(struct request* r, unsigned place);
/// The rank waits for all of these, or for any of them.
void begin_wait(unsigned place, struct request* const* requests, int n, bool all);
/// Replay: waits for a request that is not kept, in `r->real`.
int wait_here(struct request* r, MPI_Status* status);
/// Posts it anew, with what the program says, unless it is complete.
void leave_schedule_with(struct request* r);
/// What was issued is complete, and the library has returned this code. `status` is that of a receive, or of what the
/// program may have cancelled.
void completed(struct request* r, MPI_Status const* status, int code);
/// What was issued did not come about, as the library's code says.
void failed(struct request* r);
/// A test failed or succeeded.
void poll_failed(char const* function, unsigned place);
void poll_succeeded(void);

/// The communicator of a call; null, and said so, if its calls cannot be written down.
struct communicator* modelled(char const* function, MPI_Comm comm, unsigned place);
/// Whether a receive or a probe of this communicator can have such arguments. The library refuses others, and nothing
/// happens.
bool can_receive(struct communicator const* c, int from, int tag);

// ---- collectives.c --------------------------------------------------------------------------------------------------

/// What a process gives to a collective call or gets from it; a negative count: nothing that is written down.
struct data {
    void const* buffer;
    int count;
    MPI_Datatype type;
};
#define no_data ((struct data){NULL, -1, MPI_DATATYPE_NULL})

enum { not_recorded = UINT32_MAX };
/// A collective call begins; `root` is a rank of the communicator, or -1. Returns its number, or not_recorded.
unsigned begin_collective(char const* function, MPI_Comm comm, int root, unsigned place, struct data out);
void end_collective(unsigned number, struct data in);

// ---- requests.c -----------------------------------------------------------------------------------------------------

enum kind { is_send, is_receive, is_collective };

/// A call that is issued and not yet complete, or persistent.
struct request {
    unsigned number; // of the send or receive in this rank, from 0; a persistent one gets a new one at each start
    enum kind kind;
    unsigned place;
    MPI_Request handle; // of no other request that is kept
    struct communicator* comm;
    int peer; // as the program gave it
    int tag;
    char mode; // of a send: 's' standard, 'S' synchronous, 'b' buffered, 'r' ready
    void* buffer;
    int count;
    MPI_Datatype type;
    bool owns_type; // it is a copy
    bool is_persistent, is_active;
    bool may_be_cancelled; // the program has asked for that
    bool is_listed;        // in the call that is being executed
    // Replay: the handle that the library knows. It differs from `handle`, which the program has, once the receive had
    // to be posted anew.
    MPI_Request real;
    bool is_scheduled; // it admits what the schedule says, and not yet what the program says
    bool is_complete;  // it was complete when it should have been posted anew; with this status
    MPI_Status status;
    struct request* next; // with the same hash
};

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
/// Calls f with every active request that is_scheduled, in the order of their numbers.
void for_each_scheduled(void (*f)(struct request* r));
