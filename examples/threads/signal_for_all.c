// Two threads wait at a gate, which a third one opens.
//
// If both wait when it is opened, the signal wakes one of them. Repaired: a broadcast wakes both.
//
// truth: deadlocks at 18 (second path)
// truth -DREPAIRED: nothing
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool is_open;

static void* pass(void* a) {
    pthread_mutex_lock(&lock);
    while (!is_open) pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    return a;
}

static void* open_gate(void* a) {
    pthread_mutex_lock(&lock);
    is_open = true;
#ifdef REPAIRED
    pthread_cond_broadcast(&condition);
#else
    pthread_cond_signal(&condition);
#endif
    pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, open_gate, NULL);
    usleep(20000); // it is open by now
    for (int i = 1; i < 3; ++i) pthread_create(&threads[i], NULL, pass, NULL);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
    return 0;
}
