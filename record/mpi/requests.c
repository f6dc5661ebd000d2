// What is issued and not yet complete, by its MPI handle.
#include "recorder.h"

#include <stdlib.h>

static struct request** table; // chains, the oldest first
static size_t capacity;        // a power of two
static size_t kept;
static unsigned numbers;

unsigned new_number(void) { return numbers++; }
unsigned next_number(void) { return numbers; }

static struct request** chain(MPI_Request handle) {
    uint64_t const bits = (uint64_t)(uintptr_t)handle * 0x9E3779B97F4A7C15U;
    return &table[(bits >> 32) & (capacity - 1)];
}

static void append(struct request* r) {
    struct request** at = chain(r->handle);
    while (*at != NULL) at = &(*at)->next;
    r->next = NULL;
    *at = r;
}

static void grow(void) {
    struct request** const old = table;
    size_t const old_capacity = capacity;
    capacity = capacity == 0 ? 64 : 2 * capacity;
    table = allocate(capacity * sizeof(struct request*));
    for (size_t i = 0; i < old_capacity; ++i)
        for (struct request* r = old[i]; r != NULL;) {
            struct request* const next = r->next;
            append(r);
            r = next;
        }
    free(old);
}

struct request* keep_request(struct request const* described) {
    if (kept >= capacity) grow();
    struct request* const r = allocate(sizeof *r);
    *r = *described;
    append(r);
    ++kept;
    return r;
}

struct request* find_request(MPI_Request handle, MPI_Request const* at) {
    if (capacity == 0 || handle == MPI_REQUEST_NULL) return NULL;
    struct request* found = NULL;
    for (struct request* r = *chain(handle); r != NULL; r = r->next) {
        if (r->handle != handle) continue;
        if (r->at == at) return r;
        if (found == NULL) found = r;
    }
    return found;
}

void forget_request(struct request* r) {
    struct request** at = chain(r->handle);
    while (*at != r) at = &(*at)->next;
    *at = r->next;
    free(r);
    --kept;
}

static int by_number(void const* a, void const* b) {
    unsigned const m = (*(struct request* const*)a)->number;
    unsigned const n = (*(struct request* const*)b)->number;
    return (m > n) - (m < n);
}

void for_each_scheduled(void (*f)(struct request* r)) {
    struct request** const found = allocate((kept + 1) * sizeof(struct request*));
    size_t n = 0;
    for (size_t i = 0; i < capacity; ++i)
        for (struct request* r = table[i]; r != NULL; r = r->next)
            if (r->is_active && r->is_scheduled) found[n++] = r;
    qsort(found, n, sizeof(struct request*), by_number);
    for (size_t i = 0; i < n; ++i) f(found[i]);
    free(found);
}
