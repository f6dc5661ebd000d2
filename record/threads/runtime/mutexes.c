// Mutexes, spin locks and read-write locks. A lock is tried while its object is locked; only if it is taken does the
// thread wait for it, after it has written so. It is numbered while it is held, and its end before it is given back.
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <pthread.h>

enum { patience = 1000 }; // times that a thread gives way to one that has a lock and has not yet written so

static uint32_t kind_of(pthread_mutex_t const* m) {
    int const kind = m->__data.__kind & 3;
    return kind == PTHREAD_MUTEX_RECURSIVE_NP ? 1 : kind == PTHREAD_MUTEX_ERRORCHECK_NP ? 2 : 0;
}

/// The mutex is taken. The object is locked.
static void take_mutex(struct object* o, uint32_t place, uint32_t kind, bool tried) {
    o->owner = own_number();
    EVENT(matchpoint_lock, place, o, kind, o->depth, tried);
    ++o->depth;
}

static bool is_taken(int code) { return code == 0 || code == EOWNERDEAD; }

/// After a call that has waited, and returned this.
static void end_waiting(void* m, uint32_t place, int code, uint32_t kind, bool timed) {
    struct object* const o = lock_object(m);
    if (is_taken(code))
        take_mutex(o, place, kind, timed);
    else if (timed && code == ETIMEDOUT)
        EVENT(matchpoint_lock_fails, place, o, 1);
    else
        EVENT(matchpoint_lock_error, place, o, (uint64_t)code);
    unlock_object(o);
}

/// Whether it was taken at once.
static bool try_at_once(pthread_mutex_t* m, uint32_t place, int* code, bool timed) {
    struct object* const o = lock_object(m);
    *code = REAL(pthread_mutex_trylock)(m);
    if (is_taken(*code)) take_mutex(o, place, kind_of(m), timed);
    unlock_object(o);
    return is_taken(*code);
}

EXPORT int pthread_mutex_lock(pthread_mutex_t* m) {
    if (!enter()) return REAL(pthread_mutex_lock)(m);
    await_object(m);
    uint32_t const place = place_of_call();
    int code;
    if (!try_at_once(m, place, &code, false)) {
        write_awaits(place, (uintptr_t)m, matchpoint_lock);
        leave();
        code = REAL(pthread_mutex_lock)(m);
        if (!enter()) return code;
        end_waiting(m, place, code, kind_of(m), false);
    }
    leave();
    return code;
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t* m) {
    if (!enter()) return REAL(pthread_mutex_trylock)(m);
    await_object(m);
    uint32_t const place = place_of_call();
    int code = EBUSY;
    for (int i = 0; i < patience; ++i) {
        struct object* const o = lock_object(m);
        code = REAL(pthread_mutex_trylock)(m);
        bool const is_clear = is_taken(code) || code != EBUSY || o->depth > 0 || i + 1 == patience;
        if (is_taken(code))
            take_mutex(o, place, kind_of(m), true);
        else if (is_clear)
            EVENT(matchpoint_lock_fails, place, o, 0);
        unlock_object(o);
        if (is_clear) break;
        give_way(); // to the one that has it, and has not written it yet
    }
    leave();
    return code;
}

/// A time that ran out while nobody had the lock is one more try.
static int timed_lock(pthread_mutex_t* m, int (*wait)(pthread_mutex_t*, clockid_t, struct timespec const*),
                      clockid_t clock, struct timespec const* until) {
    uint32_t const place = place_of_call();
    int code;
    if (!try_at_once(m, place, &code, true)) {
        write_awaits(place, (uintptr_t)m, matchpoint_lock);
        leave();
        code = wait(m, clock, until);
        if (!enter()) return code;
        if (code == ETIMEDOUT) {
            for (int i = 0; i < patience; ++i) {
                struct object* const o = lock_object(m);
                bool const is_free = o->depth == 0;
                if (is_free && is_taken(REAL(pthread_mutex_trylock)(m))) {
                    take_mutex(o, place, kind_of(m), true);
                    code = 0;
                } else if (!is_free || i + 1 == patience) {
                    EVENT(matchpoint_lock_fails, place, o, 1);
                }
                unlock_object(o);
                if (!is_free || code == 0) break;
                give_way();
            }
        } else {
            end_waiting(m, place, code, kind_of(m), true);
        }
    }
    leave();
    return code;
}

static int real_timed(pthread_mutex_t* m, clockid_t clock, struct timespec const* until) {
    (void)clock;
    return REAL(pthread_mutex_timedlock)(m, until);
}
static int real_clock(pthread_mutex_t* m, clockid_t clock, struct timespec const* until) {
    return REAL(pthread_mutex_clocklock)(m, clock, until);
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t* m, struct timespec const* until) {
    if (!enter()) return REAL(pthread_mutex_timedlock)(m, until);
    await_object(m);
    return timed_lock(m, real_timed, CLOCK_REALTIME, until);
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, struct timespec const* until) {
    if (!enter()) return REAL(pthread_mutex_clocklock)(m, clock, until);
    await_object(m);
    return timed_lock(m, real_clock, clock, until);
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t* m) {
    if (!enter()) return REAL(pthread_mutex_unlock)(m);
    await_object(m);
    uint32_t const place = place_of_call();
    struct object* const o = lock_object(m);
    bool const is_own = o->owner == own_number();
    bool const is_error = kind_of(m) != 0 && !is_own; // the library refuses
    int code = 0;
    if (!is_error) {
        if (o->depth > 0) --o->depth;
        if (!is_own) EVENT(matchpoint_unlock_error, place, o, EPERM); // it is given back, nevertheless
        if (is_own) EVENT(matchpoint_unlock, place, o, o->depth);
        if (o->depth == 0) o->owner = 0;
        code = REAL(pthread_mutex_unlock)(m);
    } else {
        code = REAL(pthread_mutex_unlock)(m);
        EVENT(matchpoint_unlock_error, place, o, (uint64_t)code);
    }
    unlock_object(o);
    leave();
    return code;
}

EXPORT int pthread_mutex_destroy(pthread_mutex_t* m) {
    if (!enter()) return REAL(pthread_mutex_destroy)(m);
    await_object(m);
    uint32_t const place = place_of_call();
    struct object* const o = lock_object(m);
    EVENT(matchpoint_destroy, place, o, matchpoint_lock);
    int const code = REAL(pthread_mutex_destroy)(m);
    if (code == 0) reset_object(o);
    unlock_object(o);
    leave();
    return code;
}

EXPORT int pthread_mutex_init(pthread_mutex_t* m, pthread_mutexattr_t const* attributes) {
    int const code = REAL(pthread_mutex_init)(m, attributes);
    if (!enter()) return code;
    struct object* const o = lock_object(m);
    reset_object(o);
    unlock_object(o);
    leave();
    return code;
}
