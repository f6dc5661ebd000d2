// Two threads draw numbers. They read the next one as readers, and write it as writers.
//
// Between the two, another thread may draw the same number. Repaired: they are writers from the beginning.
//
// truth: fails at 34
// truth -DREPAIRED: nothing
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int next;

static void* draw(void* number) {
#ifdef REPAIRED
    pthread_rwlock_wrlock(&lock);
    *(int*)number = next;
#else
    pthread_rwlock_rdlock(&lock);
    *(int*)number = next;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
#endif
    next = *(int*)number + 1;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, draw, &numbers[i]);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    assert(numbers[0] != numbers[1]);
    return 0;
}
