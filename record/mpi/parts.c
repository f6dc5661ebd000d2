// The buffers of collective calls. One that is not complete may read one buffer and write another one: as if it were a
// send and a receive, whose memory buffers.c knows. Blocks with counts and displacements are one element of a type.
#include "tables.h"

#include <limits.h>
#include <stdlib.h>

/// The type of all blocks that have elements. MPI_DATATYPE_NULL if there are none, or if the library refuses them.
static MPI_Datatype type_of_blocks(struct memory const* m) {
    if (m->counts == NULL || m->starts == NULL) return MPI_DATATYPE_NULL;
    size_t const n = (size_t)m->blocks;
    int* const counts = allocate(n * sizeof *counts);
    int* const starts = allocate(n * sizeof *starts);
    MPI_Aint* const bytes = allocate(n * sizeof *bytes);
    MPI_Datatype* const types = allocate(n * sizeof(MPI_Datatype));
    int filled = 0;
    bool is_valid = true;
    begin_reading(m->counts, n * sizeof *counts);
    for (size_t i = 0; i < n; ++i) counts[i] = m->counts[i];
    begin_reading(m->starts, n * sizeof *starts);
    for (size_t i = 0; i < n; ++i) starts[i] = m->starts[i];
    if (m->types != NULL) begin_reading(m->types, n * sizeof(MPI_Datatype));
    for (size_t i = 0; i < n; ++i) {
        is_valid = is_valid && counts[i] >= 0;
        if (counts[i] == 0) continue;
        counts[filled] = counts[i];
        bytes[filled] = starts[filled] = starts[i];
        if (m->types != NULL) types[filled] = m->types[i];
        is_valid = is_valid && (m->types == NULL || is_type(types[filled]));
        ++filled;
    }
    end_reading();
    MPI_Datatype made = MPI_DATATYPE_NULL;
    if (is_valid && filled != 0) {
        if (m->types != NULL)
            PMPI_Type_create_struct(filled, counts, bytes, types, &made);
        else
            PMPI_Type_indexed(filled, counts, starts, m->type, &made);
    }
    if (made != MPI_DATATYPE_NULL) PMPI_Type_commit(&made);
    free(counts);
    free(starts);
    free(bytes);
    free(types);
    return made;
}

/// Where it is at most; false if that takes a closer look.
static bool find_bounds(struct memory const* m, uintptr_t* begin, uintptr_t* end) {
    int const size = m->types == NULL ? dense_size(m->type) : 0;
    if (size == 0) return false;
    int64_t longest = m->count;
    begin_reading(m->counts, (size_t)m->blocks * sizeof *m->counts);
    for (int i = 0; i < m->blocks; ++i) longest = m->counts[i] > longest ? m->counts[i] : longest;
    int64_t first = 0, last = longest;
    begin_reading(m->starts, (size_t)m->blocks * sizeof *m->starts);
    for (int i = 0; i < m->blocks; ++i) {
        first = m->starts[i] < first ? m->starts[i] : first;
        last = m->starts[i] + longest > last ? m->starts[i] + longest : last;
    }
    end_reading();
    *begin = (uintptr_t)m->buffer + (uintptr_t)(first * size);
    *end = (uintptr_t)m->buffer + (uintptr_t)(last * size);
    return true;
}

static bool is_nowhere_known(struct memory const* m) {
    bool const has_arrays = m->blocks == 0 || (m->counts != NULL && m->starts != NULL);
    return m->buffer == NULL || m->buffer == MPI_IN_PLACE || !has_arrays; // MPI_BOTTOM is null, too
}

bool may_meet(struct memory const* read, struct memory const* written) {
    if (is_nowhere_known(read) || is_nowhere_known(written)) return false;
    uintptr_t begin[2], end[2];
    if (!find_bounds(read, &begin[0], &end[0]) || !find_bounds(written, &begin[1], &end[1])) return true;
    return begin[0] < end[1] && begin[1] < end[0];
}

static void add(struct request** parts, enum kind kind, char const* function, unsigned place, struct memory const* m) {
    if (m->buffer == NULL || m->buffer == MPI_IN_PLACE || m->count > INT_MAX) return; // MPI_BOTTOM is null, too
    if (m->types == NULL && !is_type(m->type)) return;
    struct request described = {.kind = kind,
                                .function = function,
                                .made_at = place,
                                .place = place,
                                .buffer = (void*)(uintptr_t)m->buffer,
                                .count = (int)m->count,
                                .type = m->type,
                                .type_number = no_type_number,
                                .is_part = true,
                                .next = *parts};
    if (m->blocks != 0) {
        described.count = 1;
        described.type = type_of_blocks(m);
        described.owns_type = true;
    }
    if (described.count <= 0 || described.type == MPI_DATATYPE_NULL) return;
    struct request* const r = allocate(sizeof *r);
    *r = described;
    if (!r->owns_type) own_type(r);
    *parts = r;
}

struct request* parts_of(char const* function, unsigned place, struct memory const* read,
                         struct memory const* written) {
    struct request* parts = NULL;
    add(&parts, is_send, function, place, read);
    add(&parts, is_receive, function, place, written);
    for (struct request* p = parts; p != NULL; p = p->next) look_at_buffer_of(p);
    return parts;
}

void parts_are_pending(struct request* parts) {
    for (; parts != NULL; parts = parts->next) buffer_is_pending(parts);
}

void forget_parts(struct request* parts) {
    while (parts != NULL) {
        struct request* const next = parts->next;
        buffer_is_forgotten(parts);
        if (parts->owns_type) PMPI_Type_free(&parts->type);
        free(parts);
        parts = next;
    }
}
