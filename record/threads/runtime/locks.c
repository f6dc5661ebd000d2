// Spin locks and read-write locks, in the same way as mutexes.
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <pthread.h>

enum { patience = 1000, kind_of_spin_lock = 3 };

// ---- spin locks -----------------------------------------------------------------------------------------------------

static void take_spin(struct object* o, uint32_t place, bool tried) {
    o->owner = own_number();
    EVENT(matchpoint_lock, place, o, kind_of_spin_lock, o->depth, tried);
    ++o->depth;
}

static int try_spin(pthread_spinlock_t* s, uint32_t place) {
    struct object* const o = lock_object((void const*)s);
    int const code = REAL(pthread_spin_trylock)(s);
    if (code == 0) take_spin(o, place, false);
    unlock_object(o);
    return code;
}

EXPORT int pthread_spin_lock(pthread_spinlock_t* s) {
    if (!enter()) return REAL(pthread_spin_lock)(s);
    await_object((void const volatile*)s);
    uint32_t const place = place_of_call();
    int code = try_spin(s, place);
    if (code != 0) write_awaits(place, (uintptr_t)s, matchpoint_lock);
    while (code != 0) {
        give_way();
        code = try_spin(s, place);
    }
    leave();
    return code;
}

EXPORT int pthread_spin_trylock(pthread_spinlock_t* s) {
    if (!enter()) return REAL(pthread_spin_trylock)(s);
    await_object((void const volatile*)s);
    uint32_t const place = place_of_call();
    struct object* const o = lock_object((void const*)s);
    int const code = REAL(pthread_spin_trylock)(s); // all that have it are numbered
    if (code == 0)
        take_spin(o, place, true);
    else
        EVENT(matchpoint_lock_fails, place, o, 0);
    unlock_object(o);
    leave();
    return code;
}

EXPORT int pthread_spin_unlock(pthread_spinlock_t* s) {
    if (!enter()) return REAL(pthread_spin_unlock)(s);
    await_object((void const volatile*)s);
    uint32_t const place = place_of_call();
    struct object* const o = lock_object((void const*)s);
    if (o->owner == own_number())
        EVENT(matchpoint_unlock, place, o, 0);
    else
        EVENT(matchpoint_unlock_error, place, o, EPERM);
    o->depth = 0;
    o->owner = 0;
    int const code = REAL(pthread_spin_unlock)(s);
    unlock_object(o);
    leave();
    return code;
}

EXPORT int pthread_spin_destroy(pthread_spinlock_t* s) {
    if (!enter()) return REAL(pthread_spin_destroy)(s);
    await_object((void const volatile*)s);
    uint32_t const place = place_of_call();
    struct object* const o = lock_object((void const*)s);
    EVENT(matchpoint_destroy, place, o, matchpoint_lock);
    reset_object(o);
    unlock_object(o);
    leave();
    return REAL(pthread_spin_destroy)(s);
}

// ---- read-write locks -----------------------------------------------------------------------------------------------

typedef int attempt(pthread_rwlock_t*);
static int try_read(pthread_rwlock_t* l) { return REAL(pthread_rwlock_tryrdlock)(l); }
static int try_write(pthread_rwlock_t* l) { return REAL(pthread_rwlock_trywrlock)(l); }

/// How a lock is taken, for reading or writing.
struct way {
    attempt* attempt;
    enum matchpoint_record takes, fails;
};
static struct way const reading = {try_read, matchpoint_read_lock, matchpoint_read_fails};
static struct way const writing = {try_write, matchpoint_write_lock, matchpoint_write_fails};

static void take(struct object* o, uint32_t place, struct way const* way, bool tried) {
    write_event(way->takes, place, o, 1, &(uint64_t){tried});
    if (way->takes == matchpoint_read_lock)
        ++o->readers;
    else
        o->owner = own_number();
}

static bool is_free_for(struct object const* o, struct way const* way) {
    return o->owner == 0 && (way->takes == matchpoint_read_lock || o->readers == 0);
}

/// Tries it; a failure is written if it agrees with what the others have written.
static int try_lock(pthread_rwlock_t* l, uint32_t place, struct way const* way, bool says_failure, bool timed,
                    bool tried) {
    int code = EBUSY;
    for (int i = 0; i < patience; ++i) {
        struct object* const o = lock_object(l);
        code = way->attempt(l);
        bool const is_clear = code != EBUSY || !says_failure || !is_free_for(o, way) || i + 1 == patience;
        if (code == 0)
            take(o, place, way, tried);
        else if (says_failure && is_clear)
            write_event(way->fails, place, o, 1, &(uint64_t){timed});
        unlock_object(o);
        if (is_clear) break;
        give_way();
    }
    return code;
}

static void end_waiting(pthread_rwlock_t* l, uint32_t place, int code, struct way const* way, bool tried) {
    struct object* const o = lock_object(l);
    if (code == 0)
        take(o, place, way, tried);
    else
        EVENT(matchpoint_lock_error, place, o, (uint64_t)code);
    unlock_object(o);
}

typedef int blocking(pthread_rwlock_t*, clockid_t, struct timespec const*);

static int lock_it(pthread_rwlock_t* l, struct way const* way, blocking* wait, clockid_t clock,
                   struct timespec const* until) {
    uint32_t const place = place_of_call();
    int code = try_lock(l, place, way, false, false, until != NULL);
    if (code != 0) {
        write_awaits(place, (uintptr_t)l, way->takes);
        leave();
        code = wait(l, clock, until);
        if (!enter()) return code;
        if (code == ETIMEDOUT)
            code = try_lock(l, place, way, true, true, true) == 0 ? 0 : ETIMEDOUT;
        else
            end_waiting(l, place, code, way, until != NULL);
    }
    leave();
    return code;
}

static int wait_read(pthread_rwlock_t* l, clockid_t c, struct timespec const* t) {
    (void)c;
    (void)t;
    return REAL(pthread_rwlock_rdlock)(l);
}
static int wait_write(pthread_rwlock_t* l, clockid_t c, struct timespec const* t) {
    (void)c;
    (void)t;
    return REAL(pthread_rwlock_wrlock)(l);
}
static int wait_read_until(pthread_rwlock_t* l, clockid_t c, struct timespec const* t) {
    return REAL(pthread_rwlock_clockrdlock)(l, c, t);
}
static int wait_write_until(pthread_rwlock_t* l, clockid_t c, struct timespec const* t) {
    return REAL(pthread_rwlock_clockwrlock)(l, c, t);
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* l) {
    if (!enter()) return REAL(pthread_rwlock_rdlock)(l);
    await_object(l);
    return lock_it(l, &reading, wait_read, 0, NULL);
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* l) {
    if (!enter()) return REAL(pthread_rwlock_wrlock)(l);
    await_object(l);
    return lock_it(l, &writing, wait_write, 0, NULL);
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, struct timespec const* until) {
    if (!enter()) return REAL(pthread_rwlock_timedrdlock)(l, until);
    await_object(l);
    return lock_it(l, &reading, wait_read_until, CLOCK_REALTIME, until);
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, struct timespec const* until) {
    if (!enter()) return REAL(pthread_rwlock_timedwrlock)(l, until);
    await_object(l);
    return lock_it(l, &writing, wait_write_until, CLOCK_REALTIME, until);
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t clock, struct timespec const* until) {
    if (!enter()) return REAL(pthread_rwlock_clockrdlock)(l, clock, until);
    await_object(l);
    return lock_it(l, &reading, wait_read_until, clock, until);
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t clock, struct timespec const* until) {
    if (!enter()) return REAL(pthread_rwlock_clockwrlock)(l, clock, until);
    await_object(l);
    return lock_it(l, &writing, wait_write_until, clock, until);
}

EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) {
    if (!enter()) return REAL(pthread_rwlock_tryrdlock)(l);
    await_object(l);
    int const code = try_lock(l, place_of_call(), &reading, true, false, true);
    leave();
    return code;
}

EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* l) {
    if (!enter()) return REAL(pthread_rwlock_trywrlock)(l);
    await_object(l);
    int const code = try_lock(l, place_of_call(), &writing, true, false, true);
    leave();
    return code;
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* l) {
    if (!enter()) return REAL(pthread_rwlock_unlock)(l);
    await_object(l);
    uint32_t const place = place_of_call();
    struct object* const o = lock_object(l);
    bool const writes = o->owner != 0;
    EVENT(matchpoint_rw_unlock, place, o, writes);
    if (writes)
        o->owner = 0;
    else if (o->readers > 0)
        --o->readers;
    int const code = REAL(pthread_rwlock_unlock)(l);
    unlock_object(o);
    leave();
    return code;
}

EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* l) {
    if (!enter()) return REAL(pthread_rwlock_destroy)(l);
    await_object(l);
    uint32_t const place = place_of_call();
    struct object* const o = lock_object(l);
    EVENT(matchpoint_destroy, place, o, matchpoint_write_lock);
    reset_object(o);
    unlock_object(o);
    leave();
    return REAL(pthread_rwlock_destroy)(l);
}
