// Condition variables and barriers. The runtime has its own: which thread is woken by which signal is then known, and
// the same in a replay. The one that has waited longest is woken.
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

enum { nobody = 0 };

/// What is not known of a condition variable that was initialised statically: the clock that its waits look at.
static void look_at(struct object* o, pthread_cond_t const* c) {
    (void)c;
    if (o->is_known) return;
    o->is_known = true;
    o->clock = CLOCK_REALTIME;
}

EXPORT int pthread_cond_init(pthread_cond_t* c, pthread_condattr_t const* attributes) {
    int const code = REAL(pthread_cond_init)(c, attributes);
    if (code != 0 || !enter()) return code;
    struct object* const o = lock_object(c);
    reset_object(o);
    look_at(o, c);
    if (attributes != NULL) {
        int shared = PTHREAD_PROCESS_PRIVATE;
        pthread_condattr_getclock(attributes, &o->clock);
        pthread_condattr_getpshared(attributes, &shared);
        o->is_shared = shared == PTHREAD_PROCESS_SHARED;
    }
    unlock_object(o);
    leave();
    return code;
}

/// Gives the mutex back as the wait begins.
static void begin_wait(struct object* o, struct waiter* w, pthread_mutex_t* m, uint32_t place, bool timed) {
    add_waiter(o, w);
    uint64_t const order = ++o->order;
    uintptr_t const address = o->address;
    unlock_object(o);
    struct object* const mutex = lock_object(m);
    write_event_of(matchpoint_wait_begins, place, address, order, 3, (uint64_t[]){(uintptr_t)m, ++mutex->order, timed});
    mutex->owner = nobody;
    mutex->depth = 0;
    REAL(pthread_mutex_unlock)(m);
    unlock_object(mutex);
}

struct wait {
    pthread_cond_t* c;
    pthread_mutex_t* m;
    struct waiter waiter;
    uint32_t place;
    uint64_t order; // of the end; 0 as long as it is not known
    int outcome;
    bool is_over;
};

/// Takes the mutex again.
static void end_wait(struct wait* w) {
    struct object* mutex = lock_object(w->m);
    int code = REAL(pthread_mutex_trylock)(w->m);
    if (code == EBUSY) {
        unlock_object(mutex);
        code = REAL(pthread_mutex_lock)(w->m);
        mutex = lock_object(w->m);
    }
    mutex->owner = own_number();
    mutex->depth = 1;
    uint64_t const mutex_order = ++mutex->order;
    unlock_object(mutex);
    if (w->order == 0) {
        struct object* const o = lock_object(w->c);
        w->order = ++o->order;
        unlock_object(o);
    }
    write_event_of(matchpoint_wait_ends, w->place, (uintptr_t)w->c, w->order, 3,
                   (uint64_t[]){(uintptr_t)w->m, mutex_order, (uint64_t)w->outcome});
    w->is_over = true;
    sem_destroy(&w->waiter.wakes);
}

/// The thread no longer waits; its number in the order is that of the moment.
static void stop_waiting(struct wait* w) {
    struct object* const o = lock_object(w->c);
    if (remove_waiter(o, &w->waiter)) {
        w->outcome = 1;
        w->order = ++o->order;
    }
    unlock_object(o);
}

static void cancelled(void* data) {
    struct wait* const w = data;
    if (w->is_over) return;
    bool const is_inside = enter();
    stop_waiting(w);
    gap(__matchpoint_passed.site, "pthread_cancel",
        "a thread that was cancelled in a wait is recorded as if its time had passed");
    end_wait(w);
    if (is_inside) leave();
}

static int wait_until(struct wait* w, clockid_t clock, struct timespec const* until) {
    int code = 0;
    do
        code = until == NULL                                              ? REAL(sem_wait)(&w->waiter.wakes)
               : REAL(sem_clockwait)(&w->waiter.wakes, clock, until) != 0 ? errno
                                                                          : 0;
    while (code == EINTR || (until == NULL && code != 0));
    return code;
}

static int wait_for(pthread_cond_t* c, pthread_mutex_t* m, struct object* o, clockid_t clock,
                    struct timespec const* until) {
    struct wait w = {.c = c, .m = m, .place = place_of_call()};
    sem_init(&w.waiter.wakes, 0, 0);
    bool without_signal;
    w.waiter.order = planned_order(1, &without_signal);
    bool const is_planned = w.waiter.order != UINT32_MAX;
    if (without_signal) w.waiter.order = UINT32_MAX; // others need the signals
    begin_wait(o, &w.waiter, m, w.place, until != NULL);
    write_awaits(w.place, (uintptr_t)c, matchpoint_wait_ends);
    int const error = errno;
    int code = 0;
    pthread_cleanup_push(cancelled, &w);
    leave();
    // The schedule says whether its time passes.
    code = without_signal ? ETIMEDOUT : wait_until(&w, clock, is_planned ? NULL : until);
    self.inside = 1;
    pthread_cleanup_pop(0);
    errno = error;
    await_object(c);
    if (code != 0) stop_waiting(&w);
    if (without_signal) w.outcome = 1;
    end_wait(&w);
    leave();
    return w.outcome == 0 ? 0 : code;
}

/// The object, which is locked; null if the condition variable is not ours.
static struct object* begin_condition(pthread_cond_t const* c) {
    await_object(c);
    struct object* const o = lock_object(c);
    look_at(o, c);
    if (!o->is_shared) return o;
    gap(__matchpoint_passed.site, "pthread_cond_t", "a condition variable that processes share is not recorded");
    unlock_object(o);
    leave();
    return NULL;
}

static bool is_valid(struct timespec const* t) { return t->tv_nsec >= 0 && t->tv_nsec < 1000000000; }

EXPORT int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
    struct object* const o = enter() ? begin_condition(c) : NULL;
    return o == NULL ? REAL(pthread_cond_wait)(c, m) : wait_for(c, m, o, CLOCK_REALTIME, NULL);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, struct timespec const* until) {
    struct object* const o = is_valid(until) && enter() ? begin_condition(c) : NULL;
    return o == NULL ? REAL(pthread_cond_timedwait)(c, m, until) : wait_for(c, m, o, o->clock, until);
}

EXPORT int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                                  struct timespec const* until) {
    struct object* const o = is_valid(until) && enter() ? begin_condition(c) : NULL;
    return o == NULL ? REAL(pthread_cond_clockwait)(c, m, clock, until) : wait_for(c, m, o, clock, until);
}

EXPORT int pthread_cond_signal(pthread_cond_t* c) {
    struct object* const o = enter() ? begin_condition(c) : NULL;
    if (o == NULL) return REAL(pthread_cond_signal)(c);
    write_event(matchpoint_signal, place_of_call(), o, 0, NULL);
    wake_one(o);
    unlock_object(o);
    leave();
    return 0;
}

EXPORT int pthread_cond_broadcast(pthread_cond_t* c) {
    struct object* const o = enter() ? begin_condition(c) : NULL;
    if (o == NULL) return REAL(pthread_cond_broadcast)(c);
    write_event(matchpoint_broadcast, place_of_call(), o, 0, NULL);
    while (wake_one(o) != NULL) {
    }
    unlock_object(o);
    leave();
    return 0;
}

EXPORT int pthread_cond_destroy(pthread_cond_t* c) {
    struct object* const o = enter() ? begin_condition(c) : NULL;
    if (o == NULL) return REAL(pthread_cond_destroy)(c);
    EVENT(matchpoint_destroy, place_of_call(), o, matchpoint_wait_begins);
    reset_object(o);
    unlock_object(o);
    leave();
    return 0; // the real one has never been used
}

// ---- barriers -------------------------------------------------------------------------------------------------------

EXPORT int pthread_barrier_init(pthread_barrier_t* b, pthread_barrierattr_t const* attributes, unsigned count) {
    int const code = REAL(pthread_barrier_init)(b, attributes, count);
    if (code != 0 || !enter()) return code;
    await_object(b);
    uint32_t const place = place_of_call();
    struct object* const o = lock_object(b);
    reset_object(o);
    o->count = count;
    o->is_known = true;
    EVENT(matchpoint_barrier_init, place, o, count);
    unlock_object(o);
    leave();
    return code;
}

/// One thread gets PTHREAD_BARRIER_SERIAL_THREAD if the program `asks` which one.
static int wait_at_barrier(pthread_barrier_t* b, bool asks) {
    if (!enter()) return REAL(pthread_barrier_wait)(b);
    await_object(b);
    uint32_t const place = place_of_call();
    bool is_serial;
    struct waiter w = {.order = UINT32_MAX};
    sem_init(&w.wakes, 0, 0);
    struct object* o = lock_object(b);
    if (!o->is_known) {
        unlock_object(o);
        leave();
        return REAL(pthread_barrier_wait)(b);
    }
    write_event(matchpoint_barrier_arrives, place, o, 0, NULL);
    bool const is_last = ++o->waiting == o->count;
    if (is_last) {
        o->waiting = 0;
        while (wake_one(o) != NULL) {
        }
        if (self.has_turn) { // it has arrived
            unlock_object(o);
            end_turn_now();
            await_object(b);
            o = lock_object(b);
        }
        is_serial = asks && planned_serial(true);
        EVENT(matchpoint_barrier_leaves, place, o, is_serial);
        unlock_object(o);
    } else {
        add_waiter(o, &w);
        unlock_object(o);
        write_awaits(place, (uintptr_t)b, matchpoint_barrier_leaves);
        leave();
        while (REAL(sem_wait)(&w.wakes) != 0) {
        }
        self.inside = 1;
        await_object(b);
        o = lock_object(b);
        is_serial = asks && planned_serial(false);
        EVENT(matchpoint_barrier_leaves, place, o, is_serial);
        unlock_object(o);
    }
    sem_destroy(&w.wakes);
    leave();
    return is_serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

EXPORT int pthread_barrier_wait(pthread_barrier_t* b) { return wait_at_barrier(b, true); }

int __matchpoint_barrier_wait(void* b) { return wait_at_barrier(b, false); }

EXPORT int pthread_barrier_destroy(pthread_barrier_t* b) {
    if (!enter()) return REAL(pthread_barrier_destroy)(b);
    await_object(b);
    uint32_t const place = place_of_call();
    struct object* const o = lock_object(b);
    EVENT(matchpoint_destroy, place, o, matchpoint_barrier_arrives);
    reset_object(o);
    unlock_object(o);
    leave();
    return REAL(pthread_barrier_destroy)(b);
}
