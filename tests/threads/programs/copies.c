// Programs for GCC: copies GAME. What is accessed while other threads are at work, and what has no words.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { rounds = 300 };

static struct pair {
    int a, b;
    long long c;
    char name[3];
} first, second, third;
static int shared, flag, ends[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/// Copies from one to the other, and back: each thread has locked one, and wants the other.
static void* copy(void* argument) {
    for (int i = 0; i < rounds; ++i) {
        struct pair const here = {i, -i, i, "ab"};
        if (argument != NULL) {
            first = second;
            second.a = i;
        } else {
            second = first;
            first.b = i;
        }
        third = here;
    }
    return NULL;
}

/// Without any order: whatever a thread reads is what the recording says.
static void* add(void* argument) {
    (void)argument;
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
        ++shared;
        sum += shared;
    }
    pthread_mutex_lock(&mutex);
    first.a += sum;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/// Waits outside while what it has stored is read.
static void* wait_outside(void* argument) {
    (void)argument;
    char byte = 0;
    shared = 7;
    if (read(ends[0], &byte, 1) != 1) return NULL;
    flag = byte;
    return NULL;
}

static void* wait_for_flag(void* argument) {
    (void)argument;
    while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 0) {
    }
    shared += 1;
    return NULL;
}

static void two_threads(void* (*one)(void*), void* (*other)(void*)) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, &shared);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    if (strcmp(argv[1], "copies") == 0) two_threads(copy, copy);
    if (strcmp(argv[1], "adds") == 0) two_threads(add, add);
    if (strcmp(argv[1], "waits") == 0) {
        pthread_t a;
        if (pipe(ends) != 0) return 1;
        pthread_create(&a, NULL, wait_outside, NULL);
        while (__atomic_load_n(&shared, __ATOMIC_RELAXED) != 7) {
        }
        usleep(1000);
        if (write(ends[1], "x", 1) != 1) return 1;
        pthread_join(a, NULL);
    }
    if (strcmp(argv[1], "spins") == 0) {
        pthread_t a;
        pthread_create(&a, NULL, wait_for_flag, NULL);
        shared = 3;
        __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
        pthread_join(a, NULL);
    }
    printf("done\n");
    return 0;
}
