/* Programs that go well in a run whose threads come one after the other, and fail in another order (tests/threads/replay.py).
 * The name of the program is the argument. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int order, one = 1, two = 2;

static void run(void* (*f)(void*), void* (*g)(void*)) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, f, &one);
    usleep(50000);
    pthread_create(&threads[1], NULL, g, &two);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

/* A signal may wake either of the threads that wait. */
static void* waits(void* a) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&condition, &lock);
    order = order * 10 + *(int*)a;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void signals(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, waits, &one);
    usleep(50000);
    pthread_create(&threads[1], NULL, waits, &two);
    for (int i = 0; i < 2; ++i) {
        usleep(50000);
        pthread_mutex_lock(&lock);
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    assert(order == 12);
}

/* The slot is filled after the semaphore says so; or before. */
static sem_t full;
static int slot;

static void* fills_late(void* a) {
    sem_post(&full);
    slot = 7;
    return a;
}
static void* fills(void* a) {
    slot = 7;
    sem_post(&full);
    return a;
}
static void* empties(void* a) {
    sem_wait(&full);
    int const value = slot;
    assert(value == 7);
    return a;
}

static pthread_barrier_t barrier;
static int written, seen;

static void* writes_after(void* a) {
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&lock);
    written = 1;
    pthread_mutex_unlock(&lock);
    return a;
}
static void* sees_after(void* a) {
    pthread_barrier_wait(&barrier);
    usleep(50000);
    pthread_mutex_lock(&lock);
    seen = written;
    pthread_mutex_unlock(&lock);
    return a;
}

/* A wait whose time passes. */
static void* waits_for_a_while(void* a) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 10000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    pthread_cond_timedwait(&condition, &lock, &until);
    seen = written;
    pthread_mutex_unlock(&lock);
    return a;
}
static void* writes(void* a) {
    pthread_mutex_lock(&lock);
    written = 1;
    pthread_mutex_unlock(&lock);
    return a;
}

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static atomic_int digits;
static int under_spin, firsts;

static void first(void) { ++firsts; }

static void* uses_all(void* a) {
    int const n = *(int*)a;
    pthread_rwlock_wrlock(&rwlock);
    order = order * 10 + n;
    pthread_rwlock_unlock(&rwlock);
    pthread_spin_lock(&spin);
    under_spin = under_spin * 10 + n;
    pthread_spin_unlock(&spin);
    pthread_once(&control, first);
    pthread_rwlock_rdlock(&rwlock);
    atomic_fetch_add(&digits, order);
    pthread_rwlock_unlock(&rwlock);
    return NULL;
}

/* It does something else, or comes late, in another environment. */
static void* increments(void* a) {
    if (getenv("SLEEPS") != NULL) sleep(1);
    int before = order;
    if (getenv("DIFFERS") != NULL) __atomic_fetch_add(&written, 1, __ATOMIC_SEQ_CST);
    order = before + 1;
    return a;
}

int main(int count, char** words) {
    char const* const name = count > 1 ? words[1] : "";
    if (strcmp(name, "signals") == 0) {
        signals();
    } else if (strcmp(name, "late slot") == 0) {
        sem_init(&full, 0, 0);
        run(fills_late, empties);
    } else if (strcmp(name, "slot") == 0) {
        sem_init(&full, 0, 0);
        run(fills, empties);
    } else if (strcmp(name, "barrier") == 0) {
        pthread_barrier_init(&barrier, NULL, 2);
        run(writes_after, sees_after);
        assert(seen == 1);
    } else if (strcmp(name, "timed") == 0) {
        run(waits_for_a_while, writes);
        assert(seen == 0);
    } else if (strcmp(name, "spin") == 0) {
        pthread_spin_init(&spin, 0);
        run(uses_all, uses_all);
        assert(under_spin == 12);
    } else if (strcmp(name, "atomics") == 0) {
        pthread_spin_init(&spin, 0);
        run(uses_all, uses_all);
        assert(digits == 13);
    } else if (strcmp(name, "environment") == 0) {
        run(increments, increments);
        assert(order == 2);
    } else {
        return 2;
    }
    return 0;
}
