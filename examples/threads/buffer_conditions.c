// A buffer with condition variables, one thread that puts two numbers there, and two that take one each.
//
// Who is woken believes that there is a number: another thread may have taken it before the lock was free. Repaired:
// `while` in place of `if`.
//
// truth: fails at 37
// truth -DREPAIRED: nothing
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

enum { places = 2 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int count;

static void* put_two(void* a) {
    for (int i = 0; i < 2; ++i) {
        pthread_mutex_lock(&lock);
        while (count == places) pthread_cond_wait(&not_full, &lock);
        ++count;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return a;
}

static void* take(void* a) {
    pthread_mutex_lock(&lock);
#ifdef REPAIRED
    while (count == 0)
#else
    if (count == 0)
#endif
        pthread_cond_wait(&not_empty, &lock);
    assert(count > 0);
    --count;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return a;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, take, NULL);
    usleep(20000); // it waits by now
    pthread_create(&threads[1], NULL, put_two, NULL);
    usleep(20000);
    pthread_create(&threads[2], NULL, take, NULL);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
    return 0;
}
