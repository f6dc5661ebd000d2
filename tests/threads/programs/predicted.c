/* Programs that go well in a run whose threads come one after the other, and what `check` says of each (tests/threads/reading.py).
 * The name of the program is the argument. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

/* The second one begins when the first one is likely to be done, or to wait. */
static void run(void* (*f)(void*), void* (*g)(void*)) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, f, NULL);
    usleep(50000);
    pthread_create(&threads[1], NULL, g, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

static int counter;

static void* increment(void* a) {
    int const before = counter;
    counter = before + 1;
    return a;
}

static void* increment_locked(void* a) {
    pthread_mutex_lock(&lock);
    ++counter;
    pthread_mutex_unlock(&lock);
    return a;
}

/* Every access is locked, and two of them are not one. */
static int balance = 100;

static void* deposit(void* a) {
    pthread_mutex_lock(&lock);
    int const before = balance;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    balance = before + 30;
    pthread_mutex_unlock(&lock);
    return a;
}

static void* lock_then_other(void* a) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&lock);
    return a;
}

static void* other_then_lock(void* a) {
    pthread_mutex_lock(&other);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&other);
    return a;
}

enum { places = 2, items = 3 };
static sem_t empty, full;
static struct {
    unsigned head, tail;
    int values[places];
} queue;
static int sum;

static void* produce(void* a) {
    for (int i = 1; i <= items; ++i) {
        sem_wait(&empty);
        pthread_mutex_lock(&lock);
        queue.values[queue.tail++ % places] = i;
        pthread_mutex_unlock(&lock);
        sem_post(&full);
    }
    return a;
}

static void* consume(void* a) {
    for (int i = 1; i <= items; ++i) {
        sem_wait(&full);
        pthread_mutex_lock(&lock);
        int const value = queue.values[queue.head++ % places];
        pthread_mutex_unlock(&lock);
        sem_post(&empty);
        assert(value == i);
        sum += value;
    }
    return a;
}

/* A buffer with condition variables: `head` and `tail` are shared. */
static void* produce_waiting(void* a) {
    for (int i = 1; i <= items; ++i) {
        pthread_mutex_lock(&lock);
        while (queue.tail - queue.head == places) pthread_cond_wait(&condition, &lock);
        queue.values[queue.tail++ % places] = i;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&lock);
    }
    return a;
}

static void* consume_waiting(void* a) {
    for (int i = 1; i <= items; ++i) {
        pthread_mutex_lock(&lock);
        while (queue.tail == queue.head) pthread_cond_wait(&condition, &lock);
        int const value = queue.values[queue.head++ % places];
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&lock);
        assert(value == i);
    }
    return a;
}

static int ready;

static void* wait_once(void* a) {
    pthread_mutex_lock(&lock);
    if (!ready) pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    return a;
}

/* The signal is lost if it comes between the test and the wait. */
static void* signal_without_lock(void* a) {
    ready = 1;
    pthread_cond_signal(&condition);
    return a;
}

static struct node {
    struct node* next;
    int value;
} * list;

static void* push(void* a) {
    struct node* const n = malloc(sizeof *n);
    n->value = 3;
    pthread_mutex_lock(&lock);
    n->next = list;
    list = n;
    pthread_mutex_unlock(&lock);
    return a;
}

static unsigned char small;

static void* add_200(void* a) {
    for (int i = 0; i < 2; ++i) {
        pthread_mutex_lock(&lock);
        small = (unsigned char)(small + 200);
        pthread_mutex_unlock(&lock);
    }
    return a;
}

/* Both halves are read under the lock, and not both at once. */
static unsigned upper, lower;

static void* write_halves(void* a) {
    pthread_mutex_lock(&lock);
    upper = 1;
    lower = 1;
    pthread_mutex_unlock(&lock);
    return a;
}

static void* read_halves(void* a) {
    pthread_mutex_lock(&lock);
    unsigned long long const high = upper;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    unsigned const low = lower;
    pthread_mutex_unlock(&lock);
    assert((high << 32 | low) != 1);
    return a;
}

/* If both have added before one subtracts, the sum is too large. */
static int nearly_most = 2147483600;

static void* add_and_subtract(void* a) {
    pthread_mutex_lock(&lock);
    nearly_most += 40;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    nearly_most -= 40;
    pthread_mutex_unlock(&lock);
    return a;
}

int main(int count, char** words) {
    char const* const name = count > 1 ? words[1] : "";
    if (strcmp(name, "lost update") == 0) {
        run(increment, increment);
        assert(counter == 2);
    } else if (strcmp(name, "update") == 0) {
        run(increment_locked, increment_locked);
        assert(counter == 2);
    } else if (strcmp(name, "account") == 0) {
        run(deposit, deposit);
        assert(balance == 160);
    } else if (strcmp(name, "lock order") == 0) {
        run(lock_then_other, other_then_lock);
    } else if (strcmp(name, "semaphores") == 0) {
        sem_init(&empty, 0, places);
        sem_init(&full, 0, 0);
        run(produce, consume);
        assert(sum == 6);
    } else if (strcmp(name, "condition variables") == 0) {
        run(produce_waiting, consume_waiting);
    } else if (strcmp(name, "missed signal") == 0) {
        run(wait_once, signal_without_lock);
    } else if (strcmp(name, "list") == 0) {
        run(push, push);
        assert(list->value + list->next->value == 6);
    } else if (strcmp(name, "bytes") == 0) {
        run(add_200, add_200);
        assert(small == (unsigned char)800);
    } else if (strcmp(name, "halves") == 0) {
        run(write_halves, read_halves);
    } else if (strcmp(name, "overflow") == 0) {
        run(add_and_subtract, add_and_subtract);
    } else if (strcmp(name, "stuck") == 0) {
        pthread_mutex_lock(&lock);
        run(lock_then_other, lock_then_other);
    } else if (strcmp(name, "fails") == 0) {
        run(increment, increment);
        assert(counter == 3);
    } else {
        return 2;
    }
    return 0;
}
