// The begin and end of threads. A thread that is new waits until its creator has written that it made it: so no file
// speaks of a thread that nobody has created.
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { most_threads = 16000, last_rounds = 3 };

static uint32_t threads = 1; // that were created, with main
static uint32_t alive = 1;   // of them
static pthread_key_t at_end;

// Threads that were not joined yet.
static struct known {
    pthread_t thread;
    uint32_t number; // 0 if the entry is free
} known[most_threads];
static uint32_t known_count;
static char known_lock;

static void lock_known(void) {
    while (__atomic_test_and_set(&known_lock, __ATOMIC_ACQUIRE)) give_way();
}
static void unlock_known(void) { __atomic_clear(&known_lock, __ATOMIC_RELEASE); }

/// A thread that was detached may have had the same identifier.
static void remember(pthread_t thread, uint32_t number) {
    lock_known();
    uint32_t at = 0;
    while (at < known_count && known[at].number != 0 && !pthread_equal(known[at].thread, thread)) ++at;
    if (at < most_threads) known[at] = (struct known){thread, number};
    if (at == known_count && at < most_threads) ++known_count;
    unlock_known();
}

/// 0 if it is not known.
static uint32_t number_of(pthread_t thread, bool forgets) {
    uint32_t number = 0;
    lock_known();
    for (uint32_t at = 0; at < known_count; ++at) {
        if (known[at].number == 0 || !pthread_equal(known[at].thread, thread)) continue;
        number = known[at].number;
        if (forgets) known[at].number = 0;
    }
    unlock_known();
    return number;
}

struct start {
    void* (*function)(void*);
    void* argument;
    struct site* site;
    uint32_t number, creator;
    uint32_t may_begin;
};

static void write_thread(uint32_t creator, uint32_t place) {
    pthread_attr_t attributes;
    void* stack = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &stack, &size);
        pthread_attr_destroy(&attributes);
    }
    uint8_t* const begin = begin_record(128);
    if (begin == NULL) return;
    uint8_t* at = put_u(put_u(begin + 1, self.number), creator);
    at = put_u(put_u(at, (uintptr_t)stack), size);
    end_record(begin, matchpoint_thread, put_u(at, place));
}

/// Runs as often as it asks for it, after the destructors of the program: the last time it ends the recording.
static void end_thread(void* rounds) {
    if ((uintptr_t)rounds > 1) {
        pthread_setspecific(at_end, (void*)((uintptr_t)rounds - 1));
        return;
    }
    if (!enter()) return;
    end_replayed_thread();
    write_event_of(matchpoint_exit, 0, 0, 0, 0, NULL);
    close_log();
    self.has_ended = true;
    __atomic_sub_fetch(&alive, 1, __ATOMIC_RELAXED);
    goes_no_longer_first();
    leave();
}

static void* begin_thread(void* argument) {
    struct start* const start = argument;
    self.inside = 1;
    open_log(start->number);
    begin_replayed_thread();
    if (self.writes) write_thread(start->creator, start->site == NULL ? 0 : start->site->number);
    pthread_setspecific(at_end, (void*)last_rounds);
    while (__atomic_load_n(&start->may_begin, __ATOMIC_ACQUIRE) == 0)
        syscall(SYS_futex, &start->may_begin, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    void* (*const function)(void*) = start->function;
    void* const of_program = start->argument;
    munmap(start, sizeof *start);
    leave();
    return function(of_program);
}

EXPORT int pthread_create(pthread_t* thread, pthread_attr_t const* attributes, void* (*function)(void*),
                          void* argument) {
    if (!enter()) return REAL(pthread_create)(thread, attributes, function, argument);
    await_turn(matchpoint_replayed_create, __matchpoint_passed.site, 0);
    uint32_t const place = place_of_call();
    struct start* const start = own_memory(sizeof *start);
    uint32_t const planned = planned_thread();
    uint32_t const number = planned != 0 ? planned : __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
    *start = (struct start){function, argument, __matchpoint_passed.site, number, self.number, 0};
    pthread_t made;
    int const code = REAL(pthread_create)(&made, attributes, begin_thread, start);
    if (code == 0) {
        *thread = made;
        __atomic_add_fetch(&alive, 1, __ATOMIC_RELAXED);
        remember(made, number);
        write_event_of(matchpoint_create, place, 0, 0, 1, &(uint64_t){number});
        __atomic_store_n(&start->may_begin, 1, __ATOMIC_RELEASE);
        syscall(SYS_futex, &start->may_begin, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
    leave();
    return code;
}

static void joined(uint32_t place, uint32_t number) {
    if (number == 0 || !enter()) return;
    write_event_of(matchpoint_join, place, 0, 0, 1, &(uint64_t){number});
    leave();
}

EXPORT int pthread_join(pthread_t thread, void** result) {
    if (!enter()) return REAL(pthread_join)(thread, result);
    await_turn(matchpoint_replayed_join, __matchpoint_passed.site, 0);
    uint32_t const place = place_of_call();
    uint32_t const number = number_of(thread, true);
    int code = number == 0 ? EBUSY : REAL(pthread_tryjoin_np)(thread, result);
    if (code == EBUSY && number != 0) write_awaits(place, number, matchpoint_join);
    leave();
    if (code == EBUSY) code = REAL(pthread_join)(thread, result);
    if (code == 0) joined(place, number);
    if (code != 0 && number != 0) remember(thread, number);
    return code;
}

EXPORT int pthread_tryjoin_np(pthread_t thread, void** result) {
    uint32_t const number = self.writes ? number_of(thread, false) : 0;
    int const code = REAL(pthread_tryjoin_np)(thread, result);
    if (code == 0 && number != 0) {
        number_of(thread, true);
        joined(place_of_call(), number);
    }
    return code;
}

EXPORT int pthread_timedjoin_np(pthread_t thread, void** result, struct timespec const* until) {
    uint32_t const number = self.writes ? number_of(thread, false) : 0;
    int const code = REAL(pthread_timedjoin_np)(thread, result, until);
    if (code == 0 && number != 0) {
        number_of(thread, true);
        joined(place_of_call(), number);
    }
    return code;
}

void number_threads_from(uint32_t number) { threads = number; }

uint32_t threads_alive(void) { return __atomic_load_n(&alive, __ATOMIC_RELAXED); }

void begin_threads(void) {
    pthread_key_create(&at_end, end_thread);
    pthread_setspecific(at_end, (void*)last_rounds);
    write_thread(0, 0);
}
