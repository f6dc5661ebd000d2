// A log in a ring: who writes gets the next entry by an atomic addition, and fills it. Another thread reads all
// entries.
//
// An entry counts before it is filled. Repaired: a second number says how many are filled, in their order.
//
// truth: fails at 37
// truth -DREPAIRED: nothing
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { size = 4, messages = 2 };
static atomic_int ring[size];
static atomic_int reserved, filled;

static void write_message(int message) {
    int const entry = atomic_fetch_add(&reserved, 1);
    ring[entry % size] = message;
    atomic_fetch_add(&filled, 1);
}

static void* write_messages(void* a) {
    for (int i = 1; i <= messages; ++i) write_message(i);
    return a;
}

static void* read_messages(void* a) {
#ifdef REPAIRED
    int const count = filled;
#else
    int const count = reserved;
#endif
    for (int i = 0; i < count; ++i) {
        int const message = ring[i % size];
        assert(message == i + 1);
    }
    return a;
}

int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, NULL, write_messages, NULL);
    usleep(20000);
    pthread_create(&reader, NULL, read_messages, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
