// What is issued and not yet complete, by its MPI handle.
#include "tables.h"

#include <stdlib.h>
#include <string.h>

static struct request** table; // chains
static size_t capacity;        // a power of two
static size_t kept;
static unsigned numbers;

unsigned new_number(void) { return numbers++; }
unsigned next_number(void) { return numbers; }

static struct request** chain(MPI_Request handle) {
    uint64_t const bits = (uint64_t)(uintptr_t)handle * 0x9E3779B97F4A7C15U;
    return &table[(bits >> 32) & (capacity - 1)];
}

static void insert(struct request* r) {
    struct request** const first = chain(r->handle);
    r->next = *first;
    *first = r;
}

static void grow(void) {
    struct request** const old = table;
    size_t const old_capacity = capacity;
    capacity = capacity == 0 ? 64 : 2 * capacity;
    table = allocate(capacity * sizeof(struct request*));
    for (size_t i = 0; i < old_capacity; ++i) {
        struct request* last_first = NULL; // of one handle, the latest stays in front
        for (struct request* r = old[i]; r != NULL;) {
            struct request* const next = r->next;
            r->next = last_first;
            last_first = r;
            r = next;
        }
        for (struct request* r = last_first; r != NULL;) {
            struct request* const next = r->next;
            insert(r);
            r = next;
        }
    }
    free(old);
}

// ---- handles --------------------------------------------------------------------------------------------------------

// Handles of requests that were complete when they were made: the library has one for all of them.
enum { most_shared = 16 };
static MPI_Request shared[most_shared];
static unsigned shared_handles;

static bool is_shared(MPI_Request handle) {
    for (unsigned i = 0; i < shared_handles; ++i)
        if (shared[i] == handle) return true;
    return false;
}

static void note_shared(MPI_Request handle) {
    if (!is_shared(handle) && shared_handles < most_shared) shared[shared_handles++] = handle;
}

void find_shared_handles(void) {
    enum { kinds = 3, times = 2 };
    MPI_Request made[times][kinds];
    MPI_Status statuses[kinds];
    for (int i = 0; i < times; ++i) {
        PMPI_Irecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &made[i][0]);
        PMPI_Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &made[i][1]);
        PMPI_Ibarrier(MPI_COMM_SELF, &made[i][2]);
    }
    for (int kind = 0; kind < kinds; ++kind)
        if (made[0][kind] == made[1][kind]) note_shared(made[0][kind]);
    for (int i = 0; i < times; ++i) PMPI_Waitall(kinds, made[i], statuses);
}

static int give_status(void* status, MPI_Status* to) {
    int const error = to->MPI_ERROR; // not for us to set
    *to = *(MPI_Status const*)status;
    to->MPI_ERROR = error;
    return MPI_SUCCESS;
}
static int free_status(void* status) {
    free(status);
    return MPI_SUCCESS;
}
static int cancel_nothing(void* status, int is_complete) {
    (void)status;
    (void)is_complete;
    return MPI_SUCCESS;
}

/// Whether a handle that the library has just given out stands for other requests as well. If it is that of a request
/// that is kept, and not complete, then that one is gone: something that is not recorded has waited for it.
static bool is_of_several(MPI_Request handle) {
    if (is_shared(handle)) return true;
    struct request* const before = find_request(handle);
    if (before == NULL || before->is_listed) return false; // another thread has not yet learned that it is complete
    int is_complete = 0;
    MPI_Status status;
    PMPI_Request_get_status(handle, &is_complete, &status);
    if (is_complete)
        note_shared(handle);
    else
        forget_request(before);
    return is_complete != 0;
}

/// A request that is complete, with a handle that is no other's.
static void make_own(MPI_Request* handle) {
    MPI_Status* const status = allocate(sizeof *status);
    PMPI_Wait(handle, status);
    PMPI_Grequest_start(give_status, free_status, cancel_nothing, status, handle);
    PMPI_Grequest_complete(*handle);
}

// ---- requests -------------------------------------------------------------------------------------------------------

void own_type(struct request* r) {
    if (r->type == MPI_DATATYPE_NULL || integer_size(r->type) != 0) return;
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(r->type, &integers, &addresses, &types, &combiner);
    if (combiner == MPI_COMBINER_NAMED) return;
    PMPI_Type_dup(r->type, &r->type);
    r->owns_type = true;
}

struct request* keep_request(struct request const* described, MPI_Request* handle) {
    if (kept >= capacity) grow();
    if (!described->is_persistent && is_of_several(*handle)) make_own(handle);
    struct request* const r = allocate(sizeof *r);
    *r = *described;
    r->handle = r->real = *handle;
    own_type(r);
    insert(r);
    ++kept;
    return r;
}

struct request* find_request(MPI_Request handle) {
    if (capacity == 0 || handle == MPI_REQUEST_NULL) return NULL;
    struct request* r = *chain(handle);
    while (r != NULL && r->handle != handle) r = r->next;
    return r;
}

void forget_request(struct request* r) {
    struct request** at = chain(r->handle);
    while (*at != r) at = &(*at)->next;
    *at = r->next;
    buffer_is_forgotten(r);
    forget_parts(r->parts);
    if (r->owns_type) PMPI_Type_free(&r->type);
    if (r->owns_handle) PMPI_Request_free(&r->handle);
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

// ---- the end --------------------------------------------------------------------------------------------------------

/// What is wrong of a request that is kept at the end.
struct unfinished {
    char const *kind, *function, *one, *several;
    unsigned place;
};

static struct unfinished unfinished_of(struct request const* r) {
    if (r->is_active)
        return (struct unfinished){"unfinished-request", r->function, "its request is never completed",
                                   "requests of it are never completed", r->place};
    if (!r->was_started)
        return (struct unfinished){"never-started", r->function, "its persistent request is never started",
                                   "persistent requests of it are never started", r->made_at};
    return (struct unfinished){"persistent-leak", r->function, "its persistent request is never freed",
                               "persistent requests of it are never freed", r->made_at};
}

static int by_what_is_wrong(void const* a, void const* b) {
    struct unfinished const* const m = a;
    struct unfinished const* const n = b;
    if (m->place != n->place) return m->place < n->place ? -1 : 1;
    int const kinds = strcmp(m->kind, n->kind);
    return kinds != 0 ? kinds : strcmp(m->function, n->function);
}

void find_unfinished_requests(void) {
    struct unfinished* const all = allocate((kept + 1) * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < capacity; ++i)
        for (struct request const* r = table[i]; r != NULL; r = r->next) all[n++] = unfinished_of(r);
    qsort(all, n, sizeof *all, by_what_is_wrong);
    for (size_t i = 0; i < n;) {
        size_t k = i + 1;
        while (k < n && by_what_is_wrong(&all[i], &all[k]) == 0) ++k;
        if (k - i == 1)
            finding(all[i].kind, all[i].function, all[i].place, 0, "%s", all[i].one);
        else
            finding(all[i].kind, all[i].function, all[i].place, 0, "%zu %s", k - i, all[i].several);
        i = k;
    }
    free(all);
}
