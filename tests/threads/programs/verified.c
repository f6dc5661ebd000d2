/* Programs whose runs differ in more than values, for tests/threads/verify.py. The first run of each goes well. The name of the program is
 * the argument. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
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

/* A thread fills the slot if nobody has. If both look first, one of them fills it again. */
static int full, fills;

static void* fill(void* a) {
    pthread_mutex_lock(&lock);
    int const is_full = full;
    pthread_mutex_unlock(&lock);
    if (!is_full) {
        pthread_mutex_lock(&lock);
        full = 1;
        ++fills;
        assert(fills == 1);
        pthread_mutex_unlock(&lock);
    }
    return a;
}
static void* fill_at_once(void* a) {
    pthread_mutex_lock(&lock);
    if (!full) {
        full = 1;
        ++fills;
        assert(fills == 1);
    }
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

/* What is not done if the lock is taken is missed. */
static int tried;

static void* try_to_count(void* a) {
    if (pthread_mutex_trylock(&lock) == 0) {
        ++tried;
        pthread_mutex_unlock(&lock);
    }
    return a;
}

/* A wait whose time can pass. */
static int is_ready, was_late;

static void* waits_for_a_while(void* a) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    pthread_mutex_lock(&lock);
    int code = 0;
    if (!is_ready) code = pthread_cond_timedwait(&condition, &lock, &until);
    was_late = code != 0;
    pthread_mutex_unlock(&lock);
    return a;
}
static void* makes_ready(void* a) {
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return a;
}

/* An index that others choose. */
static int at, slots[4];

static void* choose(void* a) {
    pthread_mutex_lock(&lock);
    at = (at + 1) % 4;
    pthread_mutex_unlock(&lock);
    return a;
}
static void* use(void* a) {
    choose(a);
    pthread_mutex_lock(&lock);
    slots[at] = 7;
    pthread_mutex_unlock(&lock);
    return a;
}

/* The first one initialises. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int mine;
static int initialised_by;

static void initialise(void) { initialised_by = mine; }
static void* first(void* a) {
    mine = 1;
    pthread_once(&once, initialise);
    return a;
}
static void* second(void* a) {
    mine = 2;
    pthread_once(&once, initialise);
    return a;
}

/* The program does not wait for them. */
static void* make_full(void* a) {
    pthread_mutex_lock(&lock);
    full = 1;
    pthread_mutex_unlock(&lock);
    return a;
}
static void* look(void* a) {
    pthread_mutex_lock(&lock);
    if (full) usleep(1);
    pthread_mutex_unlock(&lock);
    return a;
}
static void leave_alone(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    pthread_create(&thread, NULL, make_full, NULL);
}

/* It ends the program while it has a lock that the other one may wait for. */
static void* exits(void* a) {
    usleep(50000);
    pthread_mutex_lock(&other);
    pthread_mutex_lock(&lock);
    int const is = full;
    pthread_mutex_unlock(&lock);
    if (is) exit(0);
    pthread_mutex_unlock(&other);
    return a;
}
static void* make_full_then_wait(void* a) {
    make_full(a);
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    return a;
}
static void* wait_and_make_full(void* a) {
    pthread_mutex_lock(&lock);
    full = 1;
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&lock);
    return a;
}
static void leave_to_exit(void* (*f)(void*), int joins) {
    pthread_t first, second;
    pthread_create(&first, NULL, exits, NULL);
    pthread_create(&second, NULL, f, NULL);
    if (joins) pthread_join(first, NULL);
    pthread_exit(NULL);
}

/* Nobody asks who was the last one at the barrier. */
static pthread_barrier_t barrier;

static void* meet_and_read(void* a) {
    slots[a != NULL] = 1;
    pthread_barrier_wait(&barrier);
    assert(slots[a == NULL] == 1);
    return a;
}

static int meet_twice(void) {
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t other_one;
    pthread_create(&other_one, NULL, meet_and_read, &barrier);
    meet_and_read(NULL);
    pthread_join(other_one, NULL);
    return slots[0] + slots[1];
}

int main(int count, char** words) {
    char const* const name = count > 1 ? words[1] : "";
    if (strcmp(name, "lost update") == 0) {
        run(increment, increment);
        assert(counter == 2);
    } else if (strcmp(name, "locked update") == 0) {
        run(increment_locked, increment_locked);
        assert(counter == 2);
    } else if (strcmp(name, "check then act") == 0) {
        run(fill, fill);
    } else if (strcmp(name, "check and act") == 0) {
        run(fill_at_once, fill_at_once);
    } else if (strcmp(name, "lock order") == 0) {
        run(lock_then_other, other_then_lock);
    } else if (strcmp(name, "try") == 0) {
        run(try_to_count, try_to_count);
        assert(tried == 2);
    } else if (strcmp(name, "timed") == 0) {
        run(waits_for_a_while, makes_ready);
        assert(was_late == 0);
    } else if (strcmp(name, "index") == 0) {
        run(use, use);
        assert(slots[3] == 0);
    } else if (strcmp(name, "once") == 0) {
        run(first, second);
        assert(initialised_by == 1);
    } else if (strcmp(name, "leave alone") == 0) {
        leave_alone();
    } else if (strcmp(name, "exit") == 0) {
        leave_to_exit(make_full_then_wait, 0);
    } else if (strcmp(name, "exit or deadlock") == 0) {
        leave_to_exit(wait_and_make_full, 0);
    } else if (strcmp(name, "exit and join") == 0) {
        leave_to_exit(make_full_then_wait, 1);
    } else if (strcmp(name, "barrier") == 0) {
        assert(meet_twice() == 2);
    } else if (strcmp(name, "returned") == 0) {
        run(increment, increment);
        return counter != 2;
    } else {
        return 2;
    }
    return 0;
}
