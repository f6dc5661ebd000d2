// Double-checked locking: who finds the table made takes no lock.
//
// The second look is under the lock, and the first one is not: a data race. By itself it does no harm here, where all
// threads see the writes in one order. With -DEARLY the table is announced before it is filled, and another thread may
// read it in between. Repaired: the flag is atomic, and written last.
//
// truth: nothing, data race
// truth -DEARLY: fails at 42, data race
// truth -DREPAIRED: nothing
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef REPAIRED
static atomic_int is_made;
#else
static int is_made;
#endif
static int table;

static int from_table(void) {
    if (!is_made) {
        pthread_mutex_lock(&lock);
        if (!is_made) {
#ifdef EARLY
            is_made = 1;
            table = 7;
#else
            table = 7;
            is_made = 1;
#endif
        }
        pthread_mutex_unlock(&lock);
    }
    return table;
}

static void* use(void* a) {
    int const value = from_table();
    assert(value == 7);
    return a;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, use, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return 0;
}
