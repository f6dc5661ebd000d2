// The threads of C11, which the C library builds on POSIX's inside itself, where nobody sees it.
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <threads.h>

static int result_of(int code) {
    switch (code) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    }
    return thrd_error;
}

EXPORT int mtx_init(mtx_t* m, int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    if ((type & mtx_recursive) != 0) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    int const code = pthread_mutex_init((pthread_mutex_t*)m, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return result_of(code);
}
EXPORT int mtx_lock(mtx_t* m) { return result_of(pthread_mutex_lock((pthread_mutex_t*)m)); }
EXPORT int mtx_trylock(mtx_t* m) { return result_of(pthread_mutex_trylock((pthread_mutex_t*)m)); }
EXPORT int mtx_timedlock(mtx_t* restrict m, struct timespec const* restrict until) {
    return result_of(pthread_mutex_timedlock((pthread_mutex_t*)m, until));
}
EXPORT int mtx_unlock(mtx_t* m) { return result_of(pthread_mutex_unlock((pthread_mutex_t*)m)); }
EXPORT void mtx_destroy(mtx_t* m) { pthread_mutex_destroy((pthread_mutex_t*)m); }

EXPORT int cnd_init(cnd_t* c) { return result_of(pthread_cond_init((pthread_cond_t*)c, NULL)); }
EXPORT int cnd_wait(cnd_t* c, mtx_t* m) {
    return result_of(pthread_cond_wait((pthread_cond_t*)c, (pthread_mutex_t*)m));
}
EXPORT int cnd_timedwait(cnd_t* restrict c, mtx_t* restrict m, struct timespec const* restrict until) {
    return result_of(pthread_cond_timedwait((pthread_cond_t*)c, (pthread_mutex_t*)m, until));
}
EXPORT int cnd_signal(cnd_t* c) { return result_of(pthread_cond_signal((pthread_cond_t*)c)); }
EXPORT int cnd_broadcast(cnd_t* c) { return result_of(pthread_cond_broadcast((pthread_cond_t*)c)); }
EXPORT void cnd_destroy(cnd_t* c) { pthread_cond_destroy((pthread_cond_t*)c); }

EXPORT void call_once(once_flag* flag, void (*function)(void)) { pthread_once((pthread_once_t*)flag, function); }

struct start {
    thrd_start_t function;
    void* argument;
};

static void* begin(void* argument) {
    struct start const start = *(struct start*)argument;
    munmap(argument, sizeof start);
    return (void*)(intptr_t)start.function(start.argument);
}

EXPORT int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
    struct start* const start = own_memory(sizeof *start);
    *start = (struct start){function, argument};
    int const code = pthread_create(thread, NULL, begin, start);
    if (code != 0) munmap(start, sizeof *start);
    return code == EAGAIN ? thrd_nomem : result_of(code);
}

EXPORT int thrd_join(thrd_t thread, int* result) {
    void* returned = NULL;
    int const code = pthread_join(thread, &returned);
    if (code == 0 && result != NULL) *result = (int)(intptr_t)returned;
    return result_of(code);
}

EXPORT void thrd_exit(int result) { pthread_exit((void*)(intptr_t)result); }
