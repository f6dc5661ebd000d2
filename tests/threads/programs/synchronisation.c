/* Each primitive of POSIX and C11, a program each: its name is the argument. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { most = 64 };
static int n = 4;
static int counter, another;

static void run(void* (*function)(void*)) {
    pthread_t threads[most];
    for (long i = 0; i < n; ++i) pthread_create(&threads[i], NULL, function, (void*)i);
    for (int i = 0; i < n; ++i) pthread_join(threads[i], NULL);
    printf("%d\n", counter);
}

static struct timespec soon(clockid_t clock, long milliseconds) {
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += milliseconds * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, recursive, checked;

static void* mutexes(void* nothing) {
    for (int i = 0; i < 20; ++i) {
        pthread_mutex_lock(&mutex);
        ++counter;
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&recursive);
        pthread_mutex_lock(&recursive);
        ++another;
        pthread_mutex_unlock(&recursive);
        pthread_mutex_unlock(&recursive);
        while (pthread_mutex_trylock(&mutex) != 0) sched_yield();
        ++counter;
        pthread_mutex_unlock(&mutex);
        struct timespec const t = soon(CLOCK_REALTIME, 1);
        if (pthread_mutex_timedlock(&mutex, &t) == 0) {
            usleep(i == 3 ? 3000 : 0);
            pthread_mutex_unlock(&mutex);
        }
    }
    return nothing;
}

static void errors(void) {
    counter += pthread_mutex_lock(&checked);
    counter += pthread_mutex_lock(&checked) == EDEADLK;
    pthread_mutex_unlock(&checked);
    counter += pthread_mutex_unlock(&checked) == EPERM;
    pthread_mutex_destroy(&checked);
}

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void* readers(void* number) {
    for (int i = 0; i < 20; ++i) {
        if ((i + (long)number) % 3 == 0) {
            pthread_rwlock_wrlock(&rw);
            ++counter;
            pthread_rwlock_unlock(&rw);
        } else {
            pthread_rwlock_rdlock(&rw);
            if (counter < 0) abort();
            pthread_rwlock_unlock(&rw);
        }
        if (pthread_rwlock_tryrdlock(&rw) == 0) pthread_rwlock_unlock(&rw);
        if (pthread_rwlock_trywrlock(&rw) == 0) pthread_rwlock_unlock(&rw);
        struct timespec const t = soon(CLOCK_REALTIME, 1);
        if (pthread_rwlock_timedwrlock(&rw, &t) == 0) pthread_rwlock_unlock(&rw);
    }
    return NULL;
}

static pthread_spinlock_t spin;

static void* spins(void* nothing) {
    for (int i = 0; i < 20; ++i) {
        pthread_spin_lock(&spin);
        ++counter;
        pthread_spin_unlock(&spin);
        if (pthread_spin_trylock(&spin) == 0) pthread_spin_unlock(&spin);
    }
    return nothing;
}

/* A bounded buffer with condition variables. */
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full;
static int items[3], in_buffer, next_in, next_out;

static void* conditions(void* number) {
    for (int i = 0; i < 15; ++i) {
        pthread_mutex_lock(&mutex);
        if ((long)number % 2 == 0) {
            while (in_buffer == 3) pthread_cond_wait(&not_full, &mutex);
            items[next_in] = i;
            next_in = (next_in + 1) % 3;
            ++in_buffer;
            pthread_cond_signal(&not_empty);
        } else {
            while (in_buffer == 0) pthread_cond_wait(&not_empty, &mutex);
            counter += items[next_out];
            next_out = (next_out + 1) % 3;
            --in_buffer;
            pthread_cond_broadcast(&not_full);
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void* timed_conditions(void* number) {
    for (int i = 0; i < 5; ++i) {
        struct timespec const t = soon(CLOCK_MONOTONIC, 1);
        pthread_mutex_lock(&mutex);
        if ((long)number == 0)
            pthread_cond_signal(&not_full);
        else
            pthread_cond_timedwait(&not_full, &mutex, &t);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static sem_t free_places, taken_places;

static void* semaphores(void* number) {
    for (int i = 0; i < 15; ++i) {
        if ((long)number % 2 == 0) {
            sem_wait(&free_places);
            __atomic_fetch_add(&counter, i, __ATOMIC_SEQ_CST);
            sem_post(&taken_places);
        } else {
            struct timespec const t = soon(CLOCK_REALTIME, 1);
            if (sem_trywait(&taken_places) != 0 && sem_timedwait(&taken_places, &t) != 0) sem_wait(&taken_places);
            sem_post(&free_places);
        }
    }
    return NULL;
}

static pthread_barrier_t barrier;
static int slots[most];

static void* barriers(void* number) {
    long const own = (long)number;
    for (int i = 0; i < 6; ++i) {
        slots[own] = i;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++counter;
        if (slots[(own + 1) % n] < i) abort();
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void initialise(void) {
    usleep(1000);
    counter += 10;
}
static void* onces(void* nothing) {
    pthread_once(&once, initialise);
    if (counter < 10) abort();
    return nothing;
}

static atomic_int shared;
static _Atomic unsigned char byte;
static _Atomic(long*) pointer;
static atomic_flag flag = ATOMIC_FLAG_INIT;

static void* atomics(void* number) {
    static long cell;
    for (int i = 0; i < 20; ++i) {
        atomic_fetch_add(&shared, 2);
        atomic_fetch_sub_explicit(&shared, 1, memory_order_relaxed);
        atomic_fetch_or(&byte, (unsigned char)i);
        atomic_fetch_xor(&byte, 5);
        atomic_fetch_and(&byte, 0x7f);
        int seen = atomic_load_explicit(&shared, memory_order_acquire);
        while (!atomic_compare_exchange_weak(&shared, &seen, seen + 3)) {
        }
        long* expected = NULL;
        if (atomic_compare_exchange_strong(&pointer, &expected, &cell)) atomic_store(&pointer, NULL);
        while (atomic_flag_test_and_set(&flag)) sched_yield();
        ++counter;
        atomic_flag_clear(&flag);
        atomic_thread_fence(memory_order_seq_cst);
        if (atomic_exchange(&shared, seen) < -1) abort();
    }
    return number;
}

static mtx_t plain;
static cnd_t ready;
static once_flag first = ONCE_FLAG_INIT;
static int is_ready;

static int c11(void* number) {
    call_once(&first, initialise);
    mtx_lock(&plain);
    if (*(int*)number == 0) {
        is_ready = 1;
        cnd_broadcast(&ready);
    }
    while (!is_ready) cnd_wait(&ready, &plain);
    ++counter;
    mtx_unlock(&plain);
    return *(int*)number;
}

static void run_c11(void) {
    thrd_t threads[most];
    int numbers[most];
    mtx_init(&plain, mtx_plain);
    cnd_init(&ready);
    for (int i = 0; i < n; ++i) {
        numbers[i] = n - 1 - i;
        thrd_create(&threads[i], c11, &numbers[i]);
    }
    for (int i = 0; i < n; ++i) {
        int result = 0;
        thrd_join(threads[i], &result);
        counter += result;
    }
    cnd_destroy(&ready);
    mtx_destroy(&plain);
    printf("%d\n", counter);
}

static void* leaves(void* number) {
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    if ((long)number % 2 == 0) pthread_exit(number);
    return number;
}

static void detached(void) {
    pthread_t thread;
    for (int i = 0; i < 3; ++i) {
        pthread_create(&thread, NULL, leaves, (void*)1);
        pthread_detach(thread);
    }
    while (__atomic_load_n(&counter, __ATOMIC_SEQ_CST) < 3) usleep(100);
    usleep(20000);
    run(leaves);
}

static void* waits(void* nothing) {
    pthread_mutex_lock(&mutex);
    while (counter == 0) pthread_cond_wait(&not_empty, &mutex);
    pthread_mutex_unlock(&mutex);
    return nothing;
}

static void cancelled(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    usleep(20000);
    pthread_cancel(thread);
    void* result;
    pthread_join(thread, &result);
    printf("%d\n", result == PTHREAD_CANCELED);
}

int main(int argc, char** argv) {
    char const* const name = argc > 1 ? argv[1] : "";
    if (argc > 2) n = atoi(argv[2]);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &attributes);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&not_full, &clock);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&free_places, 0, 3);
    sem_init(&taken_places, 0, 0);
    pthread_barrier_init(&barrier, NULL, (unsigned)n);
    if (strcmp(name, "mutexes") == 0) errors();
    if (strcmp(name, "mutexes") == 0) run(mutexes);
    if (strcmp(name, "rwlocks") == 0) run(readers);
    if (strcmp(name, "spins") == 0) run(spins);
    if (strcmp(name, "conditions") == 0) run(conditions);
    if (strcmp(name, "timed conditions") == 0) run(timed_conditions);
    if (strcmp(name, "semaphores") == 0) run(semaphores);
    if (strcmp(name, "barriers") == 0) run(barriers);
    if (strcmp(name, "once") == 0) run(onces);
    if (strcmp(name, "atomics") == 0) run(atomics);
    if (strcmp(name, "c11") == 0) run_c11();
    if (strcmp(name, "detached") == 0) detached();
    if (strcmp(name, "cancelled") == 0) cancelled();
    return 0;
}
