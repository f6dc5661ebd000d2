// A barrier of two threads, made of a lock and a semaphore, is used twice. The last one to come lets both pass.
//
// A fast thread may come back and pass with what was meant for the slow one. Repaired: the two uses have semaphores of
// their own.
//
// truth: fails at 44
// truth -DREPAIRED: nothing
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t passes[2];
static int arrived, half;

static void meet(int use) {
#ifndef REPAIRED
    use = 0;
#endif
    pthread_mutex_lock(&lock);
    if (++arrived == 2) {
        arrived = 0;
        sem_post(&passes[use]);
        sem_post(&passes[use]);
    }
    pthread_mutex_unlock(&lock);
    sem_wait(&passes[use]);
}

static void* compute_half(void* a) {
    meet(0);
    half = 1;
    usleep(40000);
    meet(1);
    return a;
}

static void* use_half(void* a) {
    meet(0);
    usleep(20000);
    meet(1);
    assert(half == 1);
    return a;
}

int main(void) {
    for (int i = 0; i < 2; ++i) sem_init(&passes[i], 0, 0);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, compute_half, NULL);
    pthread_create(&threads[1], NULL, use_half, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return 0;
}
