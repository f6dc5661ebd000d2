// The lowest layer of the recorder: the file of this rank, what is noted there, and whose work is being done.
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

/// Zeroed memory. Without any the process ends: it cannot go on as if it were recorded.
void* allocate(size_t size);
/// What a line tells.
enum told { a_call, an_aside, a_note, the_end };
/// A line: `begin_line("recv"); add_number(3); add_text("*"); end_line();`. Fields are separated by blanks. It tells a
/// call, or an aside: what later lines refer to, and tests that failed. Notes are also written when the rank is cut
/// off, and so is the end of the rank, or of its schedule.
void begin_line(char const* word);
void begin_line_of(enum told told, char const* word);
void add_text(char const* text);
void add_number(int64_t n);
void add_hexadecimal(uint64_t n);
void end_line(void);
/// How many lines were begun that tell a call or the end, by this thread.
unsigned long lines_about_calls(void);
/// How many lines the file has.
unsigned long lines_so_far(void);
/// In a line: a number that can be changed later, as long as it has so many digits and its page is there.
struct counter {
    int64_t at; // in the file; 0: it is not there
};
struct counter add_counter(uint64_t n);
/// False if it can no longer be changed: a new line has to say it.
bool count_in_place(struct counter const* c, uint64_t n);
/// The same of a line that says how the rank ends: also when the disk is full.
void end_line_in_any_case(void);

/// The rank dies while the recorder is at work. Safe in a signal handler; the last line of the file.
void write_crash(char const* function, char const* how, int code);
/// From now on, a crash may be the program's fault wherever it is.
void memory_may_be_broken(void);
/// The process ends by itself, before MPI_Finalize.
void write_left(void);
/// The program makes a call before MPI_Init: a file of its own says which, as the process may die of it.
void write_early(char const* function);

/// The recording is incomplete from here on: says so on standard error and in the file, once for each function.
void not_modelled(char const* function, unsigned place, char const* why);
/// The recording is right, but says less than the program does: "MPI_Iprobe looks at time". Once for each function.
void remark(char const* function, unsigned place, char const* what);

// ---- threads.c ------------------------------------------------------------------------------------------------------

/// Waits until no other thread is at work in the recorder. A thread that has its turn can take it again, and ends it as
/// often.
void take_turn(void);
void end_turn(void);
/// Ends it if there is one. Whether there was one, which take_turn() then takes again.
bool give_up_turn(void);
/// take_turn() for a thread that may hold a lock of the library, for which the thread at work waits: it has no turn
/// then after half a second.
bool take_turn_soon(void);
/// The library begins what the program has asked for: others have their turns meanwhile. Whether this thread had one.
bool library_begins(void);
void library_ends(bool had_turn);

/// The program has called MPI_Init, and the library has not started threads of its own.
void before_library_starts(void);
/// After that, in the same thread, with the level of threads.
void expect_threads(int granted);
/// This thread has been called by the program: says so if it is not the only one.
void look_at_thread(void const* caller);
/// Whether the library has granted MPI_THREAD_MULTIPLE.
bool threads_may_call_at_once(void);
/// Whether what the rank does is no longer written down, because several threads do it that must not.
bool is_cut_off(void);
/// How many threads of the process there are beside those of the library, the one that has called MPI_Init, and so many
/// others.
unsigned other_threads(unsigned known);
/// Whether a second thread has called, in whatever order, and where it was first.
bool second_thread_calls(unsigned* place);
/// The rank is about to wait. Says so if there are threads that may do meanwhile what it waits for.
void waits_perhaps_for_thread(void);

// ---- lives.c --------------------------------------------------------------------------------------------------------

/// This thread has called MPI_Init: it is the first one.
void expect_calls_of_this_thread(void);
/// Another thread calls than the last one did, with MPI_THREAD_MULTIPLE.
void this_thread_calls(void const* caller);
/// A line is about to be written: says first which thread it is of, if that is another one than that of the last line.
void say_which_thread(void);
/// Says whether there are threads that have not called MPI so far, and may, if that has changed.
void look_for_other_threads(void);

// ---- findings.c -----------------------------------------------------------------------------------------------------

/// What the program does wrong at a place, and perhaps at another one: as in printf. Once for each kind, function and
/// places. record/finding.hpp has the kinds.
void finding(char const* kind, char const* function, unsigned place, unsigned other, char const* format, ...)
    __attribute__((format(printf, 5, 6)));

// ---- crashes.c ------------------------------------------------------------------------------------------------------

/// What a thread is doing.
struct work {
    char const* function;       // of the recorder, that the program has called; null if none
    void const* caller;         // where the program called it
    MPI_Status const* statuses; // that the library fills in, of a call for several requests
    int const* n;               // how many it has filled in
    bool volatile is_recorders; // and it is our own work, not what the program has asked the library for
    bool volatile asks;         // the library may refuse what we ask
    bool had_turn;              // before the call of the library
    // A buffer of the program that is being read.
    char const* volatile begin;
    char const* volatile end;
};
extern __thread struct work work;

static inline struct work enter_recorder(char const* function, void const* caller) {
    struct work const before = work;
    work = (struct work){.function = function, .caller = caller, .is_recorders = true};
    return before;
}
struct entered {
    struct work before;
    bool has_turn;
};

/// A function that programs call begins. The library may call it while it holds a lock of its own; who does not get its
/// turn then is waited for by the thread that has it.
static inline struct entered enter_function(char const* function, void const* caller) {
    struct entered e = {enter_recorder(function, caller), true};
    if (e.before.function != NULL) {
        e.has_turn = take_turn_soon();
    } else {
        take_turn();
        look_at_thread(caller);
    }
    return e;
}
static inline void leave_function(struct entered const* e) {
    if (e->has_turn) end_turn();
    work = e->before;
}
static inline void leave_recorder(void) {
    work.is_recorders = false;
    work.had_turn = library_begins();
}
static inline int back_in_recorder(int code) {
    library_ends(work.had_turn);
    work.is_recorders = true;
    return code;
}
static inline int at_once(int code) {
    work.is_recorders = true;
    return code;
}

/// Whether it is the program that has called, and not the library.
#define IS_PROGRAMS (entered_from.before.function == NULL)

/// Begins each function that programs call. A crash in it is ours, but for what PROGRAMS encloses: a call of the
/// library that the program has made. A library may call such functions itself.
#define ENTER                                                                                                          \
    __attribute__((cleanup(leave_function), unused)) struct entered const entered_from =                               \
        enter_function(__func__, __builtin_return_address(0))
#define PROGRAMS(call) (leave_recorder(), back_in_recorder(call))
/// The same of a call that does not wait, and of requests that another thread of a replay may post anew meanwhile.
#define PROGRAMS_AT_ONCE(call) (work.is_recorders = false, at_once(call))

static inline int has_asked(int code) {
    work.asks = false;
    return code;
}
/// Our own call of the library, with what the program has given: an error is only returned, whatever the program says
/// is to become of errors.
#define ASKING(call) (work.asks = true, has_asked(call))

/// Whether memory of any size is mapped; and whether it can be read, which takes a system call for each page.
bool memory_is_there(void const* begin, void const* end);
bool is_readable(void const* begin, size_t size);

/// The program's buffer is read from here on, until `end_reading`: it is the program's fault if that cannot be done.
static inline void begin_reading(void const* buffer, size_t size) {
    work.end = (char const*)buffer + size;
    work.begin = buffer;
}
static inline void end_reading(void) { work.begin = work.end = NULL; }

/// The library is about to fill in these of a call for several requests.
static inline void fills_in(MPI_Status const* statuses, int const* n) {
    work.statuses = statuses;
    work.n = n;
}

/// The file says from now on if the rank dies by our fault.
void watch_for_crashes(void);
/// An error of the recorder's own work is about to end the process.
void die_in_recorder(void);

// ---- errors.c -------------------------------------------------------------------------------------------------------

/// The process ends: perhaps by an error that the library is dealing with.
void note_fatal_error(void);

// ---- places.c -------------------------------------------------------------------------------------------------------

/// The number of a place of the program, from 1; 0 if its object is unknown. New ones are written down. What returns to
/// the bindings of Fortran has the place of their caller; what a Python program calls has the place in that.
unsigned place_of(void const* return_address);
/// The same of a line of source, with a file name that lives on.
unsigned place_in_source(char const* file, int line);

// ---- bindings.c -----------------------------------------------------------------------------------------------------

/// Leads what the bindings of Fortran call to the recorder, also of those that were loaded since the last time. If that
/// was after MPI_Init, calls of theirs may be missing, and it says so. Cheap if nothing was loaded.
void lead_bindings_here(void);
bool is_in_bindings(void const* address);
/// Where the bindings are called that a call of now returns to: a return address, null if none is found.
void const* caller_of_bindings(void const* return_address);

// ---- python.c -------------------------------------------------------------------------------------------------------

/// Where the Python program is that this thread executes; 0 if it executes none.
unsigned place_in_python(void);
