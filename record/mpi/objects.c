// What the program has made and has to free: communicators, groups, types, operations, windows. A handle can stand for
// several of them, as Open MPI counts how often a group is asked for.
#include "tables.h"

#include <stdlib.h>
#include <string.h>

static struct made {
    enum object kind;
    uintptr_t handle;
    char const* function;
    unsigned place;
    bool is_committed; // of a type
    struct made* next; // with the same hash
} * *table;
static size_t capacity; // a power of two
static size_t kept;

static struct made** chain(enum object kind, uintptr_t handle) {
    uint64_t const bits = ((uint64_t)handle + (uint64_t)kind) * 0x9E3779B97F4A7C15U;
    return &table[(bits >> 32) & (capacity - 1)];
}

static void insert(struct made* m) {
    struct made** const first = chain(m->kind, m->handle);
    m->next = *first;
    *first = m;
}

static void grow(void) {
    struct made** const old = table;
    size_t const old_capacity = capacity;
    capacity = capacity == 0 ? 64 : 2 * capacity;
    table = allocate(capacity * sizeof *table);
    for (size_t i = 0; i < old_capacity; ++i)
        for (struct made* m = old[i]; m != NULL;) {
            struct made* const next = m->next;
            insert(m);
            m = next;
        }
    free(old);
}

void object_made(enum object kind, uintptr_t handle, char const* function, unsigned place) {
    handle_is_there(kind, handle);
    if (!is_recording()) return;
    if (kept >= capacity) grow();
    struct made* const m = allocate(sizeof *m);
    *m = (struct made){kind, handle, function, place, false, NULL};
    insert(m);
    ++kept;
}

static struct made** find(enum object kind, uintptr_t handle) {
    if (capacity == 0) return NULL;
    for (struct made** at = chain(kind, handle); *at != NULL; at = &(*at)->next)
        if ((*at)->kind == kind && (*at)->handle == handle) return at;
    return NULL;
}

void object_freed(enum object kind, uintptr_t handle) {
    struct made** const at = find(kind, handle);
    if (at != NULL) {
        struct made* const m = *at;
        *at = m->next;
        free(m);
        --kept;
    }
    if (find(kind, handle) == NULL) handle_is_gone(kind, handle);
}

void type_committed(MPI_Datatype type) {
    handle_is_there(a_type, HANDLE(type));
    struct made** const at = find(a_type, HANDLE(type));
    if (at != NULL) (*at)->is_committed = true;
}

bool is_uncommitted(MPI_Datatype type) {
    struct made** const at = find(a_type, HANDLE(type));
    return at != NULL && !(*at)->is_committed;
}

static int by_place(void const* a, void const* b) {
    struct made const* const m = *(struct made* const*)a;
    struct made const* const n = *(struct made* const*)b;
    if (m->place != n->place) return m->place < n->place ? -1 : 1;
    if (m->kind != n->kind) return m->kind < n->kind ? -1 : 1;
    return strcmp(m->function, n->function);
}

void find_leaks(void) {
    static struct {
        char const *kind, *name, *names;
    } const words[] = {[a_communicator] = {"communicator-leak", "communicator", "communicators"},
                       [a_group] = {"group-leak", "group", "groups"},
                       [a_type] = {"type-leak", "type", "types"},
                       [an_operation] = {"operation-leak", "operation", "operations"},
                       [a_window] = {"window-leak", "window", "windows"}};
    struct made** const all = allocate((kept + 1) * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < capacity; ++i)
        for (struct made* m = table[i]; m != NULL; m = m->next) all[n++] = m;
    qsort(all, n, sizeof *all, by_place);
    for (size_t i = 0; i < n;) {
        size_t k = i + 1;
        while (k < n && by_place(&all[i], &all[k]) == 0) ++k;
        struct made const* const m = all[i];
        if (k - i == 1)
            finding(words[m->kind].kind, m->function, m->place, 0, "its %s is never freed", words[m->kind].name);
        else
            finding(words[m->kind].kind, m->function, m->place, 0, "%zu of its %s are never freed", k - i,
                    words[m->kind].names);
        i = k;
    }
    free(all);
}
