/* Values that come from memory that threads share, and what C does with them. Each program prints what it computed. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int8_t i8 = -100;
static uint8_t u8 = 200;
static int16_t i16 = -30000;
static uint16_t u16 = 60000;
static int32_t i32 = -2000000000;
static uint32_t u32 = 4000000000U;
static int64_t i64 = -9000000000000000000;
static uint64_t u64 = 18000000000000000000U;
static _Bool bit = 1;
static unsigned long total;

static void add(unsigned long n) { total = total * 31 + n; }

#define OPERATIONS(T, U, x)                                                                                            \
    {                                                                                                                  \
        T const a = x, b = (T)(x / 3 + 7);                                                                             \
        U const ua = (U)a, ub = (U)b;                                                                                  \
        add((unsigned long)(T)(ua + ub));                                                                              \
        add((unsigned long)(T)(ua - ub));                                                                              \
        add((unsigned long)(T)((uint64_t)ua * ub));                                                                    \
        add((unsigned long)(a / (T)(b | 1)));                                                                          \
        add((unsigned long)(a % (T)(b | 1)));                                                                          \
        add((unsigned long)(T)(ua << (ub % (8 * sizeof a - 1))));                                                      \
        add((unsigned long)(T)(a >> (ub % (8 * sizeof a - 1))));                                                       \
        add((unsigned long)(T)((a & b) | (a ^ b)));                                                                    \
        add((unsigned long)(a < b) + 2 * (unsigned long)(a <= b) + 4 * (unsigned long)(a == b));                       \
        add((unsigned long)(a > 10 ? a : b));                                                                          \
        if (a != b) add(5);                                                                                            \
        x = (T)(ua + 1);                                                                                               \
    }

static void* arithmetic(void* nothing) {
    OPERATIONS(int8_t, uint8_t, i8)
    OPERATIONS(uint8_t, uint8_t, u8)
    OPERATIONS(int16_t, uint16_t, i16)
    OPERATIONS(uint16_t, uint16_t, u16)
    OPERATIONS(int32_t, uint32_t, i32)
    OPERATIONS(uint32_t, uint32_t, u32)
    OPERATIONS(int64_t, uint64_t, i64)
    OPERATIONS(uint64_t, uint64_t, u64)
    bit = !bit || i8 > 0;
    add(bit);
    add((unsigned long)(int64_t)i8 + (uint32_t)i16 + (uint8_t)i64 + (unsigned long)(float)u16);
    unsigned sum;
    add(__builtin_add_overflow(u32, 500000000U, &sum));
    add(sum);
    add((unsigned long)__builtin_popcount(u32) + __builtin_bswap32(u32));
    return nothing;
}

struct inner {
    short a, b;
};
struct outer {
    char name[6];
    struct inner parts[3];
    double weight;
    struct outer* next;
    unsigned low : 5, high : 11;
};
static struct outer first = {"first", {{1, 2}, {3, 4}, {5, 6}}, 1.5, NULL, 3, 700}, second;

static struct outer copied(struct outer o) {
    o.parts[1].a = (short)(o.parts[0].b * 10);
    o.weight *= 2;
    return o;
}

static struct inner pair(short a) { return (struct inner){a, (short)(a + 1)}; }

static void* structures(void* nothing) {
    second = copied(first);
    second.next = &first;
    second.next->parts[2].b = (short)(second.parts[1].a + 1);
    second.high = second.low + first.high;
    struct outer* const heap = malloc(sizeof *heap);
    memcpy(heap, &second, sizeof *heap);
    memmove(heap->name + 1, heap->name, 4);
    heap->parts[heap->low % 3] = pair(heap->parts[0].a);
    for (struct outer* o = heap; o != NULL; o = o->next)
        add((unsigned long)o->parts[1].a + o->high + (unsigned long)o->weight);
    add((unsigned char)heap->name[1]);
    add(strlen(heap->name) + (unsigned long)(strcmp(heap->name, "ffirs") == 0));
    memset(heap->parts, i8 & 1, sizeof heap->parts);
    add((unsigned long)heap->parts[2].b);
    struct outer* const more = realloc(heap, 3 * sizeof *heap);
    add((unsigned long)more->parts[0].a);
    free(more);
    return nothing;
}

static int numbers[12] = {9, 3, 7, 1, 8, 2, 6, 0, 5, 4, 11, 10};
static int is_less(void const* a, void const* b) {
    int const x = *(int const*)a, y = *(int const*)b;
    return x < y ? -1 : x > y;
}
static int (*chosen[2])(void const*, void const*) = {is_less, is_less};

static void* callbacks(void* nothing) {
    qsort(numbers, 12, sizeof *numbers, is_less);
    for (int i = 0; i < 12; ++i) add((unsigned long)numbers[i]);
    int const key = numbers[3];
    int const* const found = bsearch(&key, numbers, 12, sizeof *numbers, chosen[numbers[0]]);
    add((unsigned long)(found - numbers));
    add((unsigned long)(chosen[numbers[1]](&numbers[2], &numbers[1]) + 1));
    return nothing;
}

static long sum_of(int n, ...) {
    va_list arguments;
    va_start(arguments, n);
    long sum = 0;
    for (int i = 0; i < n; ++i) sum += i % 2 == 0 ? va_arg(arguments, int) : (long)va_arg(arguments, double);
    va_end(arguments);
    return sum;
}

static unsigned long fibonacci(unsigned long n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static long many(int a, long b, short c, char d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n,
                 int o, int p) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m +
           14 * n + 15 * o + 16 * p;
}

static void* calls(void* nothing) {
    add((unsigned long)sum_of(6, numbers[0], 2.5, numbers[1], (double)numbers[2], 7, 1.0));
    add(fibonacci((unsigned long)numbers[3]));
    int const* const n = numbers;
    add((unsigned long)many(n[0], n[1], (short)n[2], (char)n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[0],
                            n[1], n[2], n[3]));
    switch (numbers[2]) {
    case 1: add(1); break;
    case 7: add(7); break;
    case 100 ... 105: add(100); break;
    default: add(99); break;
    }
    switch (u8 % 16) {
    case 3: add(3); break;
    case 9: add(9); break;
    case 12: add(12); break;
    }
    char text[64], part[4];
    add((unsigned long)(read(-1, text, sizeof text) + 2));
    strncpy(part, first.name, sizeof part); // no zero byte
    add((unsigned char)part[3] + (unsigned long)(strncmp(part, first.name, sizeof part) == 0));
    snprintf(text, sizeof text, "%d %s", numbers[5], first.name);
    add((unsigned long)atoi(text) + (unsigned char)text[2]);
    return nothing;
}

static double reals[4] = {1.5, 2.5, -3.25, 1e10};
static float small = 0.5F;
static long double large = 3.0L;

static void* floats(void* nothing) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += reals[i] * (double)(i + numbers[i]);
    reals[1] = reals[0];
    small = (float)sum;
    large = large * 2 + reals[1];
    add((unsigned long)sum + (unsigned long)large);
    if (small > 2.0F) add(1);
    return nothing;
}

/* Access of several sizes to the same bytes, some of them not aligned. */
static union {
    uint64_t whole;
    uint32_t half[2];
    uint8_t byte[8];
    char text[24];
} mixed = {0x1122334455667788U};

static void* sizes(void* nothing) {
    mixed.byte[3] = (uint8_t)(mixed.half[1] & 0xff);
    add(mixed.whole);
    uint32_t word;
    memcpy(&word, mixed.text + 6, sizeof word);
    memcpy(mixed.text + 13, &word, sizeof word);
    uint64_t wide;
    memcpy(&wide, mixed.text + 11, sizeof wide);
    add(wide);
    __int128 const both = (__int128)mixed.whole * 3;
    add((unsigned long)(both >> 40));
    return nothing;
}

static void in_thread(void* (*function)(void*)) {
    pthread_t thread;
    total = 0;
    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, NULL);
    unsigned long const theirs = total;
    function(NULL);
    printf("%lu %lu\n", theirs, total);
}

int main(void) {
    in_thread(arithmetic);
    in_thread(structures);
    in_thread(callbacks);
    in_thread(calls);
    in_thread(floats);
    in_thread(sizes);
    return 0;
}
