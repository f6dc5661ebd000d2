// A queue of one node. One thread reads the first node, the other one takes it out and frees it.
//
// The reader gives the lock back before it reads: the node may be freed by then. Repaired: it reads under the lock.
//
// truth: fails at 25, data race
// truth -DREPAIRED: nothing
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node {
    struct node* next;
    long number;
    bool is_freed;
} * first;

static void* read_first(void* a) {
    pthread_mutex_lock(&lock);
    struct node const* const n = first;
#ifndef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
    if (n != NULL) assert(!n->is_freed);
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
    return a;
}

static void* take_first(void* a) {
    pthread_mutex_lock(&lock);
    struct node* const n = first;
    if (n != NULL) first = n->next;
    pthread_mutex_unlock(&lock);
    if (n != NULL) n->is_freed = true;
    free(n);
    return a;
}

int main(void) {
    first = calloc(1, sizeof *first);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, read_first, NULL);
    pthread_create(&threads[1], NULL, take_first, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return 0;
}
