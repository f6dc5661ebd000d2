// Programs whose threads are recorded: threads_programs NAME WORK. What each does grows linearly with WORK.
//
//   adding    four threads add up the 65,536 shared numbers of an array WORK times, with an operation or two on each
//   sorting   four threads sort a quarter of an array each, by insertion, WORK times
//   matrix    four threads multiply two matrices of floating-point numbers, WORK rows each
//   table     four threads put WORK thousand words into a hash table, with a lock for each part of it
//   queue     two threads send WORK thousand numbers to two others, through a ring with a mutex and conditions
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { threads = 4, numbers = 65536, sorted = 400, side = 128, parts = 64, slots = 1024, capacity = 32 };

static int work;

// ---- adding
static unsigned values[numbers];
static unsigned sums[threads];

static void* add(void* argument) {
    uintptr_t const own = (uintptr_t)argument;
    unsigned sum = 0;
    for (int round = 0; round < work; ++round)
        for (uintptr_t i = own * (numbers / threads); i < (own + 1) * (numbers / threads); ++i)
            sum += (values[i] ^ 5) * 3;
    sums[own] = sum;
    return NULL;
}

// ---- sorting
static int to_sort[threads][sorted];

static void* sort(void* argument) {
    int* const mine = to_sort[(uintptr_t)argument];
    for (int round = 0; round < work; ++round) {
        for (int i = 0; i < sorted; ++i) mine[i] = (i * 7919 + round) % 1009;
        for (int i = 1; i < sorted; ++i) {
            int const value = mine[i];
            int j = i;
            for (; j > 0 && mine[j - 1] > value; --j) mine[j] = mine[j - 1];
            mine[j] = value;
        }
    }
    return NULL;
}

// ---- matrix
static double left[side][side], right[side][side], product[side][side];

static void* multiply(void* argument) {
    uintptr_t const own = (uintptr_t)argument;
    for (int round = 0; round < work; ++round) {
        uintptr_t const row = own * (side / threads) + (uintptr_t)round % (side / threads);
        for (int column = 0; column < side; ++column) {
            double sum = 0;
            for (int k = 0; k < side; ++k) sum += left[row][k] * right[k][column];
            product[row][column] = sum;
        }
    }
    return NULL;
}

// ---- table
static struct part {
    pthread_mutex_t mutex;
    struct slot {
        uint64_t key;
        unsigned count;
    } slots[slots];
    unsigned used;
} table[parts];

static void* fill(void* argument) {
    uint64_t state = (uintptr_t)argument * 0x9e3779b97f4a7c15U + 1;
    for (int i = 0; i < 1000 * work; ++i) {
        char word[8];
        uint64_t key = 0;
        state = state * 6364136223846793005U + 1442695040888963407U;
        for (int c = 0; c < 8; ++c) word[c] = (char)('a' + (state >> (33 + c) & 7));
        memcpy(&key, word, sizeof key);
        uint64_t const hash = key * 0x9e3779b97f4a7c15U;
        struct part* const part = &table[hash >> 58];
        pthread_mutex_lock(&part->mutex);
        unsigned at = (unsigned)(hash >> 32) % slots;
        while (part->slots[at].key != 0 && part->slots[at].key != key) at = (at + 1) % slots;
        if (part->slots[at].key == 0 && part->used < slots / 2) {
            part->slots[at].key = key;
            ++part->used;
        }
        ++part->slots[at].count;
        pthread_mutex_unlock(&part->mutex);
    }
    return NULL;
}

// ---- queue
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty, not_full;
    unsigned ring[capacity], head, used;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0};

static void* send_or_take(void* argument) {
    uintptr_t const own = (uintptr_t)argument;
    unsigned sum = 0;
    for (int i = 0; i < 1000 * work; ++i) {
        pthread_mutex_lock(&queue.mutex);
        if (own % 2 == 0) {
            while (queue.used == capacity) pthread_cond_wait(&queue.not_full, &queue.mutex);
            queue.ring[(queue.head + queue.used) % capacity] = (unsigned)i;
            ++queue.used;
            pthread_cond_signal(&queue.not_empty);
        } else {
            while (queue.used == 0) pthread_cond_wait(&queue.not_empty, &queue.mutex);
            sum += queue.ring[queue.head];
            queue.head = (queue.head + 1) % capacity;
            --queue.used;
            pthread_cond_signal(&queue.not_full);
        }
        pthread_mutex_unlock(&queue.mutex);
    }
    sums[own] = sum;
    return NULL;
}

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    struct {
        char const* name;
        void* (*run)(void*);
    } const programs[] = {
        {"adding", add}, {"sorting", sort}, {"matrix", multiply}, {"table", fill}, {"queue", send_or_take}};
    work = atoi(argv[2]);
    void* (*run)(void*) = NULL;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i)
        if (strcmp(programs[i].name, argv[1]) == 0) run = programs[i].run;
    if (run == NULL) return 2;
    if (run == add)
        for (unsigned i = 0; i < numbers; ++i) values[i] = i * 2654435761U;
    if (run == multiply)
        for (int i = 0; i < side * side; ++i) left[i / side][i % side] = right[i / side][i % side] = i % 7 - 2.5;
    if (run == fill)
        for (int i = 0; i < parts; ++i) pthread_mutex_init(&table[i].mutex, NULL);
    pthread_t t[threads];
    for (uintptr_t i = 0; i < threads; ++i) pthread_create(&t[i], NULL, run, (void*)i);
    for (int i = 0; i < threads; ++i) pthread_join(t[i], NULL);
    double result = 0;
    for (int i = 0; i < threads; ++i) result += sums[i] + to_sort[i][0];
    for (int i = 0; i < side; ++i) result += product[i][i];
    for (int i = 0; i < parts; ++i) result += table[i].used;
    printf("%g\n", result);
    return 0;
}
