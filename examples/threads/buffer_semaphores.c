// A buffer of one place with semaphores and a lock, one thread that puts numbers there, and one that takes them.
//
// Both take the lock first: who waits for a number keeps out who would put it there. Repaired: they wait for the
// semaphore first.
//
// truth: deadlocks at 24, 23
// truth -DREPAIRED: nothing
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t empty, full;
static int place;

static void begin(sem_t* s) {
#ifdef REPAIRED
    sem_wait(s);
    pthread_mutex_lock(&lock);
#else
    pthread_mutex_lock(&lock);
    sem_wait(s);
#endif
}

static void end(sem_t* s) {
    pthread_mutex_unlock(&lock);
    sem_post(s);
}

static void* put(void* a) {
    begin(&empty);
    place = 5;
    end(&full);
    return a;
}

static void* take(void* a) {
    begin(&full);
    assert(place == 5);
    end(&empty);
    return a;
}

int main(void) {
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, put, NULL);
    usleep(20000);
    pthread_create(&threads[1], NULL, take, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return 0;
}
