// The locks of <omp.h>, and its clock.
#include "openmp.h"

#include <stdlib.h>
#include <time.h>

#include "omp.h"

_Static_assert(sizeof(omp_lock_t) >= sizeof(pthread_mutex_t), "a lock is a mutex");

static pthread_mutex_t* mutex_of(omp_lock_t* lock) { return (pthread_mutex_t*)lock; }

void omp_init_lock(omp_lock_t* lock) { pthread_mutex_init(mutex_of(lock), NULL); }
void omp_init_lock_with_hint(omp_lock_t* lock, int hint) {
    (void)hint;
    omp_init_lock(lock);
}
void omp_destroy_lock(omp_lock_t* lock) { pthread_mutex_destroy(mutex_of(lock)); }
void omp_set_lock(omp_lock_t* lock) { pthread_mutex_lock(mutex_of(lock)); }
void omp_unset_lock(omp_lock_t* lock) { pthread_mutex_unlock(mutex_of(lock)); }
int omp_test_lock(omp_lock_t* lock) { return pthread_mutex_trylock(mutex_of(lock)) == 0; }

// A nested lock belongs to a task; here to its thread, which executes tied tasks only.
void omp_init_nest_lock(omp_nest_lock_t* lock) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(mutex_of(&lock->lock), &recursive);
    pthread_mutexattr_destroy(&recursive);
    lock->depth = 0;
}
void omp_destroy_nest_lock(omp_nest_lock_t* lock) { pthread_mutex_destroy(mutex_of(&lock->lock)); }
void omp_set_nest_lock(omp_nest_lock_t* lock) {
    pthread_mutex_lock(mutex_of(&lock->lock));
    ++lock->depth;
}
void omp_unset_nest_lock(omp_nest_lock_t* lock) {
    --lock->depth;
    pthread_mutex_unlock(mutex_of(&lock->lock));
}
int omp_test_nest_lock(omp_nest_lock_t* lock) {
    return pthread_mutex_trylock(mutex_of(&lock->lock)) == 0 ? ++lock->depth : 0;
}

double omp_get_wtime(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
double omp_get_wtick(void) { return 1e-9; }
