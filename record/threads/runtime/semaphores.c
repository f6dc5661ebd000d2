// Semaphores, what is done once, and the guards of C++'s local variables.
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

enum { patience = 1000 };

/// The number that it has, of one that is new to the runtime.
static void look_at(struct object* o, sem_t* s) {
    int value = 0;
    if (o->is_known || sem_getvalue(s, &value) != 0) return;
    o->is_known = true;
    o->count = value;
    EVENT(matchpoint_sem_init, 0, o, (uint64_t)value);
}

EXPORT int sem_init(sem_t* s, int shared, unsigned value) {
    int const code = REAL(sem_init)(s, shared, value);
    if (code != 0 || !enter()) return code;
    await_object(s);
    uint32_t const place = place_of_call();
    if (shared != 0)
        gap(__matchpoint_passed.site, "sem_init", "what other processes do with a semaphore is not recorded");
    struct object* const o = lock_object(s);
    reset_object(o);
    o->is_known = true;
    o->count = value;
    EVENT(matchpoint_sem_init, place, o, value);
    unlock_object(o);
    leave();
    return code;
}

EXPORT int sem_destroy(sem_t* s) {
    if (!enter()) return REAL(sem_destroy)(s);
    await_object(s);
    uint32_t const place = place_of_call();
    struct object* const o = lock_object(s);
    EVENT(matchpoint_destroy, place, o, matchpoint_sem_wait);
    reset_object(o);
    unlock_object(o);
    leave();
    return REAL(sem_destroy)(s);
}

EXPORT int sem_post(sem_t* s) {
    if (!enter()) return REAL(sem_post)(s);
    await_object(s);
    uint32_t const place = place_of_call();
    struct object* const o = lock_object(s);
    look_at(o, s);
    ++o->count;
    write_event(matchpoint_sem_post, place, o, 0, NULL);
    int const code = REAL(sem_post)(s);
    unlock_object(o);
    leave();
    return code;
}

/// Tries it; a failure is written if it agrees with what the others have written. Returns an error code.
static int try_wait(sem_t* s, uint32_t place, bool says_failure, bool timed, bool tried) {
    int code = EAGAIN;
    for (int i = 0; i < patience; ++i) {
        struct object* const o = lock_object(s);
        look_at(o, s);
        code = REAL(sem_trywait)(s) == 0 ? 0 : errno;
        bool const is_clear = code != EAGAIN || !says_failure || o->count <= 0 || i + 1 == patience;
        if (code == 0) {
            --o->count;
            EVENT(matchpoint_sem_wait, place, o, tried);
        } else if (says_failure && is_clear) {
            EVENT(matchpoint_sem_fails, place, o, timed);
        }
        unlock_object(o);
        if (is_clear) break;
        // A thread that has taken it in its wait may need a processor to say so.
        if (i < patience / 10)
            give_way();
        else
            nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return code;
}

static int returned(int code) {
    if (code == 0) return 0;
    errno = code;
    return -1;
}

typedef int blocking(sem_t*, clockid_t, struct timespec const*);

static int wait_for(sem_t* s, blocking* wait, clockid_t clock, struct timespec const* until) {
    uint32_t const place = place_of_call();
    int const before = errno;
    int code = try_wait(s, place, false, false, until != NULL);
    if (code != 0) {
        write_awaits(place, (uintptr_t)s, matchpoint_sem_wait);
        leave();
        code = wait(s, clock, until) == 0 ? 0 : errno;
        self.inside = 1;
        if (code == 0) {
            struct object* const o = lock_object(s);
            --o->count;
            EVENT(matchpoint_sem_wait, place, o, until != NULL);
            unlock_object(o);
        } else if (code == ETIMEDOUT) {
            code = try_wait(s, place, true, true, true) == 0 ? 0 : ETIMEDOUT;
        }
    }
    errno = before;
    leave();
    return returned(code);
}

static int real_wait(sem_t* s, clockid_t clock, struct timespec const* until) {
    (void)clock;
    (void)until;
    return REAL(sem_wait)(s);
}
static int real_clockwait(sem_t* s, clockid_t clock, struct timespec const* until) {
    return REAL(sem_clockwait)(s, clock, until);
}

EXPORT int sem_wait(sem_t* s) {
    if (!enter()) return REAL(sem_wait)(s);
    await_object(s);
    return wait_for(s, real_wait, 0, NULL);
}

EXPORT int sem_timedwait(sem_t* s, struct timespec const* until) {
    if (!enter()) return REAL(sem_timedwait)(s, until);
    await_object(s);
    return wait_for(s, real_clockwait, CLOCK_REALTIME, until);
}

EXPORT int sem_clockwait(sem_t* s, clockid_t clock, struct timespec const* until) {
    if (!enter()) return REAL(sem_clockwait)(s, clock, until);
    await_object(s);
    return wait_for(s, real_clockwait, clock, until);
}

EXPORT int sem_trywait(sem_t* s) {
    if (!enter()) return REAL(sem_trywait)(s);
    await_object(s);
    int const before = errno;
    int const code = try_wait(s, place_of_call(), true, false, true);
    errno = before;
    leave();
    return returned(code);
}

// ---- once -----------------------------------------------------------------------------------------------------------

static __thread struct {
    void (*function)(void);
    void* control;
    uint32_t place;
    bool has_run;
} once;

static void write_once(enum matchpoint_record kind, uint32_t place, void const* control) {
    await_object(control);
    struct object* const o = lock_object(control);
    write_event(kind, place, o, 0, NULL);
    unlock_object(o);
}

static void run_once(void) {
    void (*const function)(void) = once.function;
    void* const control = once.control;
    uint32_t const place = once.place;
    self.inside = 1;
    write_once(matchpoint_once_begins, place, control);
    leave();
    function();
    if (!enter()) return;
    write_once(matchpoint_once_ends, place, control);
    once.has_run = true;
    leave();
}

EXPORT int pthread_once(pthread_once_t* control, void (*function)(void)) {
    if (!enter()) return REAL(pthread_once)(control, function);
    await_object(control);
    uint32_t const place = place_of_call();
    __typeof__(once) const outer = once;
    once.function = function;
    once.control = (void*)control;
    once.place = place;
    once.has_run = false;
    leave();
    int const code = REAL(pthread_once)(control, run_once);
    bool const has_run = once.has_run;
    once = outer;
    if (!has_run && code == 0 && enter()) {
        write_once(matchpoint_once_passes, place, (void*)control);
        leave();
    }
    return code;
}

int __cxa_guard_acquire(uint64_t* guard);
void __cxa_guard_release(uint64_t* guard);

/// The library of C++ has it, which need not be there.
EXPORT int __cxa_guard_acquire(uint64_t* guard) {
    if (!enter()) return REAL(__cxa_guard_acquire)(guard);
    await_object(guard);
    self.inside = 0; // nothing is done
    int const runs = REAL(__cxa_guard_acquire)(guard);
    if (!enter()) return runs;
    write_once(runs != 0 ? matchpoint_once_begins : matchpoint_once_passes, place_of_call(), guard);
    leave();
    return runs;
}

EXPORT void __cxa_guard_release(uint64_t* guard) {
    if (enter()) {
        write_once(matchpoint_once_ends, place_of_call(), guard);
        leave();
        __matchpoint_store(__matchpoint_passed.site, guard, 1 | matchpoint_weak_order << size_bits, 0, 1, 0);
    }
    REAL(__cxa_guard_release)(guard);
}
