// A file is written by one thread and closed by another. Whether it is open is under one lock, its data under another.
//
// The file may be closed after the writer has looked, and before it writes. Repaired: the writer keeps the first lock.
//
// truth: fails at 24
// truth -DREPAIRED: nothing
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER, data = PTHREAD_MUTEX_INITIALIZER;
static bool is_open = true, has_buffer = true;
static int written;

static void* write_file(void* a) {
    pthread_mutex_lock(&state);
    bool const may_write = is_open;
#ifndef REPAIRED
    pthread_mutex_unlock(&state);
#endif
    if (may_write) {
        pthread_mutex_lock(&data);
        assert(has_buffer);
        ++written;
        pthread_mutex_unlock(&data);
    }
#ifdef REPAIRED
    pthread_mutex_unlock(&state);
#endif
    return a;
}

static void* close_file(void* a) {
    pthread_mutex_lock(&state);
    is_open = false;
    pthread_mutex_unlock(&state);
    pthread_mutex_lock(&data);
    has_buffer = false;
    pthread_mutex_unlock(&data);
    return a;
}

int main(void) {
    pthread_t writer, closer;
    pthread_create(&writer, NULL, write_file, NULL);
    pthread_create(&closer, NULL, close_file, NULL);
    pthread_join(writer, NULL);
    pthread_join(closer, NULL);
    return 0;
}
