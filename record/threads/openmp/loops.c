// Loops that the threads of a team share. A chunk of a static one is computed; others are taken as they come.
#include "openmp.h"

#include <stdlib.h>

// ---- static ---------------------------------------------------------------------------------------------------------

enum schedule {
    is_chunked = 33,
    is_guided = 36,
    is_ordered_guided = 68,
    modifiers = 3 << 29, // monotonic and nonmonotonic
};

/// How many iterations there are from `lower` to `upper`, by steps.
static uint64_t iterations(int64_t lower, int64_t upper, int64_t step) {
    if (step > 0) return upper < lower ? 0 : (uint64_t)(upper - lower) / (uint64_t)step + 1;
    return upper > lower ? 0 : (uint64_t)(lower - upper) / (0 - (uint64_t)step) + 1;
}
static uint64_t iterations_unsigned(uint64_t lower, uint64_t upper, int64_t step) {
    if (step > 0) return upper < lower ? 0 : (upper - lower) / (uint64_t)step + 1;
    return upper > lower ? 0 : (lower - upper) / (0 - (uint64_t)step) + 1;
}

/// The part of this thread.
struct part {
    uint64_t first, size, stride; // iterations, from 0; from one chunk to its next
    bool is_last;                 // it has the last iteration
};

static struct part part_of(struct member const* m, int32_t schedule, uint64_t count, uint64_t chunk) {
    uint64_t const n = (uint64_t)m->team->size, me = (uint64_t)m->number;
    if ((schedule & ~modifiers) == is_chunked) {
        if (chunk == 0) chunk = 1;
        return (struct part){me * chunk, chunk, n * chunk, count != 0 && (count - 1) / chunk % n == me};
    }
    uint64_t const least = count / n, more = count % n;
    uint64_t const size = least + (me < more);
    return (struct part){me * least + (me < more ? me : more), size, count,
                         size != 0 && (me == n - 1 || (least == 0 && me == more - 1))};
}

#define STATIC(suffix, type, step_type, count_of)                                                                      \
    void __kmpc_for_static_init_##suffix(void* place, int32_t number, int32_t schedule, int32_t* is_last, type* lower, \
                                         type* upper, step_type* stride, step_type step, step_type chunk) {            \
        (void)place;                                                                                                   \
        (void)number;                                                                                                  \
        uint64_t const count = count_of(*lower, *upper, step);                                                         \
        struct part const p = part_of(member(), schedule, count, chunk < 0 ? 0 : (uint64_t)chunk);                     \
        type const first = *lower;                                                                                     \
        *lower = (type)(first + (type)p.first * (type)step);                                                           \
        *upper = (type)(first + (type)(p.first + p.size) * (type)step - (type)step);                                   \
        *stride = (step_type)((step_type)p.stride * step);                                                             \
        if (is_last != NULL) *is_last = p.is_last;                                                                     \
    }
STATIC(4, int32_t, int32_t, iterations)
STATIC(4u, uint32_t, int32_t, iterations_unsigned)
STATIC(8, int64_t, int64_t, iterations)
STATIC(8u, uint64_t, int64_t, iterations_unsigned)

void __kmpc_for_static_fini(void* place, int32_t number) {
    (void)place;
    (void)number;
}

// ---- dynamic --------------------------------------------------------------------------------------------------------

/// The loop that follows the last one of this thread: the first thread that reaches it makes it.
static struct loop* next_loop(struct member* m, uint64_t count, uint64_t chunk, bool is_guided_one) {
    struct team* const t = m->team;
    pthread_mutex_lock(&t->mutex);
    struct loop** const at = m->loop == NULL ? &t->loops : &m->loop->after;
    if (*at == NULL) {
        struct loop* const l = calloc(1, sizeof *l);
        if (l == NULL) abort();
        *l = (struct loop){.count = count, .chunk = chunk == 0 ? 1 : chunk, .is_guided = is_guided_one};
        pthread_mutex_init(&l->mutex, NULL);
        pthread_cond_init(&l->turn, NULL);
        *at = l;
    }
    m->loop = *at;
    pthread_mutex_unlock(&t->mutex);
    return m->loop;
}

static void begin_loop(int32_t schedule, int64_t lower, int64_t step, uint64_t count, int64_t chunk) {
    struct member* const m = member();
    schedule &= ~modifiers;
    next_loop(m, count, chunk < 0 ? 0 : (uint64_t)chunk, schedule == is_guided || schedule == is_ordered_guided);
    m->lower = lower;
    m->step = step;
}

/// Takes a chunk. How many iterations; 0: none is left.
static uint64_t take_chunk(struct member* m, bool* is_last) {
    struct loop* const l = m->loop;
    pthread_mutex_lock(&l->mutex);
    uint64_t const left = l->count - l->next;
    uint64_t size = l->chunk;
    if (l->is_guided) {
        uint64_t const share = left / (2 * (uint64_t)m->team->size);
        if (share > size) size = share;
    }
    if (size > left) size = left;
    m->iteration = l->next;
    l->next += size;
    *is_last = l->next == l->count;
    pthread_mutex_unlock(&l->mutex);
    m->was_ordered = false;
    return size;
}

#define DYNAMIC(suffix, type, step_type, count_of)                                                                     \
    void __kmpc_dispatch_init_##suffix(void* place, int32_t number, int32_t schedule, type lower, type upper,          \
                                       step_type step, step_type chunk) {                                              \
        (void)place;                                                                                                   \
        (void)number;                                                                                                  \
        begin_loop(schedule, (int64_t)lower, step, count_of(lower, upper, step), chunk);                               \
    }                                                                                                                  \
    int32_t __kmpc_dispatch_next_##suffix(void* place, int32_t number, int32_t* is_last, type* lower, type* upper,     \
                                          step_type* stride) {                                                         \
        (void)place;                                                                                                   \
        (void)number;                                                                                                  \
        struct member* const m = member();                                                                             \
        bool has_last = false;                                                                                         \
        uint64_t const n = take_chunk(m, &has_last);                                                                   \
        if (n == 0) return 0;                                                                                          \
        *lower = (type)((type)m->lower + (type)m->iteration * (type)m->step);                                          \
        *upper = (type)(*lower + (type)(n - 1) * (type)m->step);                                                       \
        if (stride != NULL) *stride = (step_type)m->step;                                                              \
        if (is_last != NULL) *is_last = has_last;                                                                      \
        return 1;                                                                                                      \
    }                                                                                                                  \
    void __kmpc_dispatch_fini_##suffix(void* place, int32_t number) {                                                  \
        if (!member()->was_ordered) {                                                                                  \
            __kmpc_ordered(place, number);                                                                             \
            __kmpc_end_ordered(place, number);                                                                         \
        }                                                                                                              \
        ++member()->iteration;                                                                                         \
        member()->was_ordered = false;                                                                                 \
    }

/// Waits until the `ordered` parts of all earlier iterations are over.
void __kmpc_ordered(void* place, int32_t number) {
    (void)place;
    (void)number;
    struct member* const m = member();
    pthread_mutex_lock(&m->loop->mutex);
    while (m->loop->ordered != m->iteration) pthread_cond_wait(&m->loop->turn, &m->loop->mutex);
    pthread_mutex_unlock(&m->loop->mutex);
}
void __kmpc_end_ordered(void* place, int32_t number) {
    (void)place;
    (void)number;
    struct member* const m = member();
    pthread_mutex_lock(&m->loop->mutex);
    ++m->loop->ordered;
    pthread_cond_broadcast(&m->loop->turn);
    pthread_mutex_unlock(&m->loop->mutex);
    m->was_ordered = true;
}

DYNAMIC(4, int32_t, int32_t, iterations)
DYNAMIC(4u, uint32_t, int32_t, iterations_unsigned)
DYNAMIC(8, int64_t, int64_t, iterations)
DYNAMIC(8u, uint64_t, int64_t, iterations_unsigned)
