// A thread waits until another one is ready.
//
// It looks before it takes the lock. The signal may come in between, when nobody waits yet. Repaired: it looks under
// the lock.
//
// truth: deadlocks at 24, data race
// truth -DREPAIRED: nothing
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void* wait(void* a) {
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
    while (!ready) pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
#else
    if (!ready) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&condition, &lock);
        pthread_mutex_unlock(&lock);
    }
#endif
    return a;
}

static void* get_ready(void* a) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t waiter, other;
    pthread_create(&waiter, NULL, wait, NULL);
    usleep(20000); // it waits by now
    pthread_create(&other, NULL, get_ready, NULL);
    pthread_join(waiter, NULL);
    pthread_join(other, NULL);
    return 0;
}
