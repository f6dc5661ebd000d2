// The threads of the program that call MPI, with MPI_THREAD_MULTIPLE. The file says of each line which thread it is of,
// as soon as a second one has called; and what orders them: a thread begins after it was created, and the return of
// pthread_join comes after its end. Locks, and what else orders threads, are not seen. Before a second thread calls,
// nothing is written: most threads compute, and never do.
//
// The library's own threads are left alone. A thread that was created otherwise, or before MPI_Init, may have begun at
// any time.
#define _GNU_SOURCE
#include "output.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

/// A thread of the program, from its creation to the end of the wait for it.
struct life {
    pthread_t id;
    bool has_called;
    unsigned number;     // once it has called: 0 is the thread of MPI_Init
    unsigned begun_by;   // the thread that created it; or what was created before MPI_Init, 0
    unsigned long after; // how many lines the file had then
    struct life* joiner; // waits for its end
    void const* join_at; // there
    void* (*start)(void*);
    int (*start_of_c11)(void*);
    void* argument;
    struct life* next;
};

static struct life* lives;         // those that nobody has waited for
static struct life const* writing; // of the last line; null while only one thread has called
static unsigned numbers = 1;       // the next one
static unsigned alive;             // of those with numbers, without the first one
static unsigned silent;            // that were created, and have neither called nor ended
static unsigned strangers;         // whose creation was not seen
static bool may_have_strangers = true;
static __thread struct life* own __attribute__((tls_model("initial-exec")));

static struct life* own_life(void) {
    if (own == NULL) own = allocate(sizeof *own);
    return own;
}

void expect_calls_of_this_thread(void) { own_life()->has_called = true; }

// ---- what is written ------------------------------------------------------------------------------------------------

void look_for_other_threads(void) {
    static bool is_said;
    static unsigned others; // as in the file
    // A thread that has just ended may be there still: then this looks again later.
    if (may_have_strangers) strangers = other_threads(alive + silent);
    may_have_strangers = strangers != 0;
    if (is_said && silent + strangers == others) return;
    is_said = true;
    others = silent + strangers;
    begin_line_of(an_aside, "others");
    add_number(others);
    end_line();
}

/// A thread waits for another one; or it has waited.
static void write_joins(struct life const* l) {
    unsigned const place = place_of(l->join_at);
    begin_line_of(an_aside, "joins");
    add_number(l->joiner->number);
    add_number(l->number);
    add_number(place);
    end_line();
}

static void write_joined(struct life const* l) {
    begin_line_of(an_aside, "joined");
    add_number(own->number);
    add_number(l->number);
    end_line();
}

void say_which_thread(void) {
    if (writing == NULL || own == writing || own == NULL || !own->has_called) return;
    writing = own;
    begin_line_of(an_aside, "thread");
    add_number(own->number);
    add_number(0);
    end_line();
}

/// Its first call.
static void begins_to_call(struct life* l, bool was_created, void const* caller) {
    unsigned const place = place_of(caller);
    l->number = numbers++;
    begin_line_of(an_aside, "started");
    add_number(l->number);
    add_number(l->begun_by);
    add_number((int64_t)l->after);
    end_line();
    l->has_called = true;
    writing = l;
    begin_line_of(an_aside, "thread");
    add_number(l->number);
    add_number(place);
    end_line();
    if (l->joiner != NULL) write_joins(l);
    ++alive;
    if (was_created) --silent;
    may_have_strangers = true;
    look_for_other_threads();
}

void this_thread_calls(void const* caller) {
    bool const was_created = own != NULL;
    struct life* const l = own_life();
    if (!l->has_called) begins_to_call(l, was_created, caller);
}

// ---- from its creation to its end -----------------------------------------------------------------------------------

/// Whether the program does this, and what its threads do is written down.
static bool is_the_programs(void) { return work.function == NULL && is_recording() && threads_may_call_at_once(); }

static void ends(void* ignored) {
    (void)ignored;
    struct life* const l = own;
    take_turn();
    if (!l->has_called) {
        --silent;
        if (writing != NULL && is_recording()) look_for_other_threads();
    } else if (is_recording()) {
        begin_line_of(an_aside, "ended");
        add_number(l->number);
        end_line();
        if (l->number != 0) --alive;
    }
    end_turn();
}

static void* lives_on(void* life) {
    struct life* const l = own = life;
    void* result = NULL;
    pthread_cleanup_push(ends, NULL);
    if (l->start != NULL)
        result = l->start(l->argument);
    else
        result = (void*)(intptr_t)l->start_of_c11(l->argument);
    pthread_cleanup_pop(1);
    return result;
}

static int lives_on_in_c11(void* life) { return (int)(intptr_t)lives_on(life); }

/// A thread is about to be created by this one, which may not have called itself: it begins where this one has begun.
static struct life* begin_life(void* argument) {
    struct life* const l = allocate(sizeof *l);
    take_turn();
    ++silent;
    l->argument = argument;
    if (own != NULL && own->has_called) {
        l->begun_by = own->number;
        l->after = lines_so_far();
    } else if (own != NULL) {
        l->begun_by = own->begun_by;
        l->after = own->after;
    }
    end_turn();
    return l;
}

/// It runs already.
static void add_life(struct life* l, pthread_t id) {
    take_turn();
    l->id = id;
    l->next = lives;
    lives = l;
    if (writing != NULL && is_recording()) look_for_other_threads();
    end_turn();
}

static void no_life(struct life* l) {
    take_turn();
    --silent;
    end_turn();
    free(l);
}

static struct life** place_of_life(pthread_t id) {
    struct life** at = &lives;
    while (*at != NULL && !pthread_equal((*at)->id, id)) at = &(*at)->next;
    return at;
}

/// Nothing is said of a wait by a thread that has not called.
static struct life* begin_join(pthread_t id, void const* caller) {
    if (!is_the_programs() || own == NULL || !own->has_called) return NULL;
    take_turn();
    struct life* const l = *place_of_life(id);
    if (l != NULL) {
        l->joiner = own;
        l->join_at = caller;
        if (l->has_called) write_joins(l);
    }
    end_turn();
    return l;
}

static void end_join(struct life* l, pthread_t id, bool has_ended) {
    if (l == NULL) return;
    take_turn();
    l->joiner = NULL;
    if (has_ended) {
        struct life** const at = place_of_life(id);
        if (*at == l) *at = l->next;
        if (l->has_called && is_recording()) write_joined(l);
    }
    end_turn(); // it is not freed: the last line may be of it
}

// ---- functions of the system ----------------------------------------------------------------------------------------

RECORDER_API int pthread_create(pthread_t* id, pthread_attr_t const* attributes, void* (*start)(void*),
                                void* argument) {
    static int (*next)(pthread_t*, pthread_attr_t const*, void* (*)(void*), void*);
    if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "pthread_create");
    if (!is_the_programs()) return next(id, attributes, start, argument);
    struct life* const l = begin_life(argument);
    l->start = start;
    int const code = next(id, attributes, lives_on, l);
    if (code == 0)
        add_life(l, *id);
    else
        no_life(l);
    return code;
}

RECORDER_API int pthread_join(pthread_t id, void** result) {
    static int (*next)(pthread_t, void**);
    if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "pthread_join");
    struct life* const l = begin_join(id, __builtin_return_address(0));
    int const code = next(id, result);
    end_join(l, id, code == 0);
    return code;
}

RECORDER_API int thrd_create(thrd_t* id, thrd_start_t start, void* argument) {
    static int (*next)(thrd_t*, thrd_start_t, void*);
    if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "thrd_create");
    if (!is_the_programs()) return next(id, start, argument);
    struct life* const l = begin_life(argument);
    l->start_of_c11 = start;
    int const code = next(id, lives_on_in_c11, l);
    if (code == thrd_success)
        add_life(l, *id);
    else
        no_life(l);
    return code;
}

RECORDER_API int thrd_join(thrd_t id, int* result) {
    static int (*next)(thrd_t, int*);
    if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "thrd_join");
    struct life* const l = begin_join(id, __builtin_return_address(0));
    int const code = next(id, result);
    end_join(l, id, code == thrd_success);
    return code;
}
