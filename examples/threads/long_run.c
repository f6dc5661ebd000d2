// Two threads do ten million steps of their own, and add what comes out to a sum.
//
// Nobody else sees these steps, so they are not in the recording. The sum is read under the lock, and written under
// the lock, and not both at once. Repaired: the lock is kept.
//
// truth: fails at 39
// truth -DREPAIRED: nothing
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

/* An odd number, whatever it begins with. */
static int steps(uint32_t x) {
    for (int i = 0; i < 10000000; ++i) x = x * 1664525 + 1013904223;
    return (int)(x % 8) * 2 + 1;
}

static void* add(void* start) {
    int const result = steps((uint32_t)(uintptr_t)start);
    pthread_mutex_lock(&lock);
    int const before = sum;
#ifndef REPAIRED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    sum = before + result;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (unsigned i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add, (void*)(uintptr_t)i);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    assert(sum % 2 == 0);
    return 0;
}
