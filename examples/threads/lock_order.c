// Two threads take two locks in opposite orders.
//
// Each may have one and wait for the other. With -DGATE they hold a third lock meanwhile, which keeps one of them out.
//
// truth: deadlocks at 19
// truth -DGATE: nothing
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, left = PTHREAD_MUTEX_INITIALIZER,
                       right = PTHREAD_MUTEX_INITIALIZER;
static int both;

static void take_both(pthread_mutex_t* first, pthread_mutex_t* second) {
#ifdef GATE
    pthread_mutex_lock(&gate);
#endif
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    ++both;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
#ifdef GATE
    pthread_mutex_unlock(&gate);
#endif
}

static void* left_first(void* a) {
    take_both(&left, &right);
    return a;
}

static void* right_first(void* a) {
    take_both(&right, &left);
    return a;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, left_first, NULL);
    pthread_create(&threads[1], NULL, right_first, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    (void)gate;
    return 0;
}
