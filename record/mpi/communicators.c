// Communicators. Each has a name that all its ranks find without talking to each other: making a communicator is a
// collective call, so the n-th one that is made from a communicator is the same for all its ranks; where one call makes
// several, their smallest ranks of MPI_COMM_WORLD tell them apart. "MPI_COMM_WORLD.2:3" comes from the second call for
// MPI_COMM_WORLD, and its smallest rank is 3.
#include "tables.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int keyval = MPI_KEYVAL_INVALID; // communicators carry their description as an attribute
static unsigned communicators;
static MPI_Group world_group;

// The one that was looked up last. MPI libraries give a handle out again when its communicator is gone.
static MPI_Comm last = MPI_COMM_NULL;
static struct communicator* last_found;

static void describe(struct communicator const* c) {
    begin_line("comm");
    add_number(c->number);
    add_text(c->name);
    for (int i = 0; i < c->size; ++i) add_number(c->world[i]);
    end_line();
}

static char* print(char const* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int const size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char* const text = allocate((size_t)size + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)size + 1, format, arguments);
    va_end(arguments);
    return text;
}

/// Without a name.
static struct communicator* add(MPI_Comm comm) {
    struct communicator* const c = allocate(sizeof *c);
    int is_inter = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    PMPI_Comm_size(comm, &c->size);
    PMPI_Comm_rank(comm, &c->rank);
    c->is_inter = is_inter != 0;
    c->handle = comm;
    c->number = communicators++;
    c->world = allocate((size_t)c->size * sizeof *c->world);
    int* const ranks = allocate((size_t)c->size * sizeof *ranks);
    for (int i = 0; i < c->size; ++i) ranks[i] = i;
    MPI_Group group;
    PMPI_Comm_group(comm, &group);
    PMPI_Group_translate_ranks(group, c->size, ranks, world_group, c->world);
    PMPI_Group_free(&group);
    free(ranks);
    PMPI_Comm_set_attr(comm, keyval, c);
    return c;
}

void start_communicators(void) {
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    PMPI_Comm_group(MPI_COMM_WORLD, &world_group);
    struct communicator* const world = add(MPI_COMM_WORLD);
    world->name = print("MPI_COMM_WORLD");
    describe(world);
    struct communicator* const self = add(MPI_COMM_SELF);
    self->name = print("MPI_COMM_SELF:%d", world->rank);
    describe(self);
}

struct communicator* find_communicator(MPI_Comm comm) {
    if (comm == last && comm != MPI_COMM_NULL) return last_found;
    if (keyval == MPI_KEYVAL_INVALID || !is_communicator(comm)) return NULL;
    void* found = NULL;
    int is_there = 0;
    PMPI_Comm_get_attr(comm, keyval, &found, &is_there);
    if (!is_there) return NULL;
    last = comm;
    last_found = found;
    return found;
}

int world_rank(struct communicator const* c, int rank) { return rank >= 0 && rank < c->size ? c->world[rank] : -1; }

static int smallest(struct communicator const* c) {
    int smallest = c->world[0];
    for (int i = 1; i < c->size; ++i)
        if (c->world[i] < smallest) smallest = c->world[i];
    return smallest;
}

void made_from(MPI_Comm parent, MPI_Comm made) {
    if (!is_recording()) return;
    last = MPI_COMM_NULL;
    struct communicator* const from = find_communicator(parent);
    if (from == NULL) return;
    ++from->children;
    if (made == MPI_COMM_NULL) return;
    struct communicator* const c = add(made);
    if (c == NULL) return;
    c->name = print("%s.%u:%d", from->name, from->children, smallest(c));
    describe(c);
}

void made_by_group(MPI_Comm parent, int tag, MPI_Comm made) {
    static struct made {
        char* name;
        unsigned times;
        struct made* next;
    } * before;
    last = MPI_COMM_NULL;
    struct communicator* const from = find_communicator(parent);
    if (from == NULL) return;
    struct communicator* const c = add(made);
    if (c == NULL) return;
    uint64_t hash = 14695981039346656037U; // FNV-1a
    for (int i = 0; i < c->size; ++i) hash = (hash ^ (uint64_t)c->world[i]) * 1099511628211U;
    char* const name = print("%s.g%d.%016" PRIx64, from->name, tag, hash);
    struct made* m = before;
    while (m != NULL && strcmp(m->name, name) != 0) m = m->next;
    if (m == NULL) {
        m = allocate(sizeof *m);
        *m = (struct made){name, 0, before};
        before = m;
    } else {
        free(name);
    }
    c->name = print("%s.%u", m->name, ++m->times);
    describe(c);
}

void communicator_is_gone(MPI_Comm comm) {
    struct communicator* const c = is_recording() ? find_communicator(comm) : NULL;
    if (c != NULL) c->is_freed = true;
    last = MPI_COMM_NULL;
}
