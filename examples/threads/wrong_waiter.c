// A place for one number, one thread that puts two of them there, and two that take one each. All wait for one
// condition variable.
//
// Who has taken a number means to wake the one that puts. If it wakes the other one that takes, that one waits again,
// and so do all. Repaired: all are woken.
//
// truth: deadlocks at 29, 39 (second path)
// truth -DREPAIRED: nothing
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool is_full;

static void changed(void) {
#ifdef REPAIRED
    pthread_cond_broadcast(&condition);
#else
    pthread_cond_signal(&condition);
#endif
}

static void* put_two(void* a) {
    for (int i = 0; i < 2; ++i) {
        pthread_mutex_lock(&lock);
        while (is_full) pthread_cond_wait(&condition, &lock);
        is_full = true;
        changed();
        pthread_mutex_unlock(&lock);
    }
    return a;
}

static void* take(void* a) {
    pthread_mutex_lock(&lock);
    while (!is_full) pthread_cond_wait(&condition, &lock);
    is_full = false;
    changed();
    pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, put_two, NULL);
    usleep(20000); // it waits by now
    pthread_create(&threads[1], NULL, take, NULL);
    usleep(20000); // and goes on
    pthread_create(&threads[2], NULL, take, NULL);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
    return 0;
}
