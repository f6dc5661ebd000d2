// One thread at a time is at work in the recorder. A thread gives up its turn while the library does what the program
// has asked for, as that can wait for another thread.
//
// With MPI_THREAD_MULTIPLE, each thread has its own calls in the file (lives.c). What several threads do at once has no
// order that could be written down: which of two receives was posted first, say, is known to the library alone. Threads
// that call by turns, as MPI_THREAD_SERIALIZED wants it, are written down in the order of their turns; another run may
// have another order. If the level of threads allows neither, the recording ends at the first call of a second thread.
#include "output.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread unsigned turns __attribute__((tls_model("initial-exec")));

void take_turn(void) {
    if (turns++ == 0) pthread_mutex_lock(&mutex);
}

bool take_turn_soon(void) {
    enum { most_milliseconds = 500 };
    bool has_turn = turns != 0;
    for (int i = 0; !has_turn && i < most_milliseconds; ++i) {
        has_turn = pthread_mutex_trylock(&mutex) == 0;
        if (!has_turn) nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    if (has_turn) ++turns;
    return has_turn;
}

void end_turn(void) {
    if (turns != 0 && --turns == 0) pthread_mutex_unlock(&mutex);
}

// ---- who calls ------------------------------------------------------------------------------------------------------

static pthread_t owner;         // the thread that has called last
static int level;               // that the library has granted
static int calls;               // of the program that the library is executing
static bool is_over, has_turns; // several threads have called: which is not allowed, or by turns
static bool are_apart;          // several threads have called, and each has calls of its own in the file
static unsigned second_place;   // where the second one did

bool threads_may_call_at_once(void) { return level == MPI_THREAD_MULTIPLE; }
bool is_cut_off(void) { return is_over; }

bool second_thread_calls(unsigned* place) {
    *place = second_place;
    return is_over || has_turns || are_apart;
}

/// The number of threads of this process and a constant; 0 if it is not known.
static nlink_t tasks(void) {
    struct stat s;
    return stat("/proc/self/task", &s) == 0 ? s.st_nlink : 0;
}
static nlink_t first_tasks, library_tasks; // when the program calls MPI_Init, and after that

void before_library_starts(void) { first_tasks = tasks(); }

void expect_threads(int granted) {
    enum { one_thread = 3 }; // the folder has a link from itself, one from its parent, and one of each thread
    owner = pthread_self();
    level = granted;
    library_tasks = first_tasks == one_thread ? tasks() : 0;
    expect_calls_of_this_thread();
}

unsigned other_threads(unsigned known) {
    nlink_t const all = tasks();
    if (library_tasks == 0) return 1;
    return all > library_tasks + known ? (unsigned)(all - library_tasks - known) : 0;
}

bool give_up_turn(void) {
    bool const has_turn = turns != 0;
    end_turn();
    return has_turn;
}

bool library_begins(void) {
    if (turns != 0) ++calls;
    return give_up_turn();
}

void library_ends(bool had_turn) {
    if (!had_turn) return;
    take_turn();
    --calls;
}

/// Once it is too late, the process may have died.
static void look_for_early_call(void) {
    static bool has_looked;
    if (has_looked || strncmp(work.function, "MPI_Init", 8) == 0) return;
    has_looked = true;
    write_early(work.function);
}

void look_at_thread(void const* caller) {
    if (!is_recording()) look_for_early_call();
    if (!is_recording() || is_over || pthread_equal(owner, pthread_self())) return;
    owner = pthread_self();
    if (level == MPI_THREAD_MULTIPLE) {
        if (!are_apart) second_place = place_of(caller);
        are_apart = true;
        this_thread_calls(caller);
        return;
    }
    second_place = place_of(caller);
    if (level == MPI_THREAD_SERIALIZED && calls == 0) {
        has_turns = true;
        not_modelled("MPI_Init_thread", second_place,
                     "several threads call MPI by turns; another run may have another order of the turns");
        return;
    }
    not_modelled("recorder", second_place,
                 "calls from several threads, which the level of threads does not allow; what this rank does from here "
                 "on is not recorded");
    is_over = true;
}

void waits_perhaps_for_thread(void) {
    static bool is_said;
    if (are_apart) {
        look_for_other_threads();
        return;
    }
    if (level != MPI_THREAD_MULTIPLE || is_said || !is_recording() || tasks() <= library_tasks) return;
    is_said = true;
    begin_line_of(an_aside, "threads");
    end_line();
}
