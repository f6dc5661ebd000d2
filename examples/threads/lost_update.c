// Two threads count, without a lock.
//
// Both may read the number before one of them has written it. Repaired: each counts under the lock.
//
// truth: fails at 30, data race
// truth -DREPAIRED: nothing
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* count(void* a) {
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
#endif
    ++counter;
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
    return a;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    (void)lock;
    assert(counter == 2);
    return 0;
}
