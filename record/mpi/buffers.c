// The memory of what is pending. Until a send is complete, the program must not change its buffer; until a receive is
// complete, it must not use the buffer at all, nor give it to another call (MPI-3.1, 3.7.2). Two sends may have one
// buffer. The same holds of what collective calls read and write (5.12). What the program does with the buffer of a
// receive cannot be seen.
//
// Pending sends and receives are in a tree each, by the address of their memory: a treap whose nodes know how far the
// memory below them reaches. So a call costs the logarithm of what is pending.
#include "tables.h"

#include <stdlib.h>
#include <string.h>

static struct request* roots[2]; // of sends, of receives
static unsigned waiting_at;

// ---- contents -------------------------------------------------------------------------------------------------------

enum {
    most_packed = 1 << 16,
    most_compared = 1 << 13, // bytes; of larger buffers, both ends are compared, and lines in between
    end_compared = most_compared / 4,
    line = 64,
    lines_between = most_compared / 2 / line,
};

static uint64_t mix(uint64_t h, char const* bytes, size_t size) {
    uint64_t lanes[4] = {h, h ^ 1, h ^ 2, h ^ 3};
    size_t i = 0;
    for (; i + 32 <= size; i += 32)
        for (int k = 0; k < 4; ++k) {
            uint64_t word = 0;
            memcpy(&word, bytes + i + 8 * k, 8);
            lanes[k] = (lanes[k] ^ word) * 0x9E3779B97F4A7C15U;
            lanes[k] ^= lanes[k] >> 29;
        }
    for (int k = 0; k < 4; ++k) h = (h ^ lanes[k]) * 0xFF51AFD7ED558CCDU;
    for (; i < size; ++i) h = (h ^ (unsigned char)bytes[i]) * 0xFF51AFD7ED558CCDU;
    return h ^ h >> 32;
}

static uint64_t hash_of_memory(char const* begin, size_t size) {
    if (size <= most_compared) return mix(1, begin, size);
    uint64_t h = mix(1, begin, end_compared);
    size_t const between = size - 2 * end_compared;
    for (size_t k = 0; k < lines_between; ++k)
        h = mix(h, begin + end_compared + (between - line) * k / (lines_between - 1), line);
    return mix(h, begin + size - end_compared, end_compared);
}

/// A hash of what a send hands out; 0 if it is not known. Its memory is there.
static uint64_t contents_of(struct request const* r) {
    struct span const* const s = &r->span;
    uint64_t h = 0;
    if (s->is_dense) {
        begin_reading(s->begin, (size_t)(s->end - s->begin));
        h = hash_of_memory(s->begin, (size_t)(s->end - s->begin));
    } else {
        int const size = packed_size(r->count, r->type);
        int at = 0;
        if (size <= 0 || size > most_packed) return 0;
        char* const packed = allocate((size_t)size);
        begin_reading(s->begin, (size_t)(s->end - s->begin));
        ASKING(PMPI_Pack(r->buffer, r->count, r->type, packed, size, &at, MPI_COMM_SELF));
        h = mix(1, packed, (size_t)at);
        free(packed);
    }
    end_reading();
    return h == 0 ? 1 : h;
}

// ---- where it is ----------------------------------------------------------------------------------------------------

static void find_span(struct request* r) {
    r->span = (struct span){0};
    if (r->count <= 0 || r->type == MPI_DATATYPE_NULL) return;
    int size = dense_size(r->type);
    if (size != 0) {
        r->span.begin = r->buffer;
        r->span.end = r->span.begin + (size_t)r->count * (size_t)size;
        r->span.is_dense = true;
        return;
    }
    MPI_Aint low = 0, extent = 0, first = 0, length = 0;
    PMPI_Type_size(r->type, &size);
    if (size == 0) return;
    PMPI_Type_get_extent(r->type, &low, &extent);
    PMPI_Type_get_true_extent(r->type, &first, &length);
    if (extent < 0) return; // its elements go backwards
    r->span.begin = (char const*)((uintptr_t)r->buffer + (uintptr_t)first);
    r->span.end = r->span.begin + (r->count - 1) * extent + length;
    r->span.is_dense = length == size && (r->count == 1 || extent == size);
}

/// Writes ones where the elements of a buffer are, as seen from an address.
static void mark(struct request const* r, char* image, char const* from) {
    int const size = packed_size(r->count, r->type);
    int at = 0;
    if (size < 0) return;
    char* const ones = allocate((size_t)size);
    memset(ones, 1, (size_t)size);
    ASKING(PMPI_Unpack(ones, size, &at, image + ((char const*)r->buffer - from), r->count, r->type, MPI_COMM_SELF));
    free(ones);
}

/// Two buffers that lie in each other's ranges. The result is remembered if they have gaps: loops ask again and again.
static bool share_memory(struct request const* a, struct request const* b) {
    enum { most_image = 1 << 22, most_known = 256 };
    static struct known {
        char const *a, *b;
        unsigned a_type, b_type;
        int a_count, b_count;
        bool is_valid, shares;
    } before[most_known];
    if (a->span.is_dense && b->span.is_dense) return true;
    bool const is_remembered = a->type_number != no_type_number && b->type_number != no_type_number;
    struct known key = {.a = a->buffer,
                        .b = b->buffer,
                        .a_type = a->type_number,
                        .b_type = b->type_number,
                        .a_count = a->count,
                        .b_count = b->count,
                        .is_valid = true};
    uint64_t const hash = ((uint64_t)(uintptr_t)key.a * 31 + (uint64_t)(uintptr_t)key.b) * 0x9E3779B97F4A7C15U;
    struct known* const known = &before[hash >> 56];
    if (is_remembered && known->is_valid && known->a == key.a && known->b == key.b && known->a_type == key.a_type &&
        known->b_type == key.b_type && known->a_count == key.a_count && known->b_count == key.b_count)
        return known->shares;
    char const* const begin = a->span.begin < b->span.begin ? a->span.begin : b->span.begin;
    char const* const end = a->span.end > b->span.end ? a->span.end : b->span.end;
    size_t const size = (size_t)(end - begin);
    if (size <= most_image) {
        char* const of_a = allocate(2 * size);
        char* const of_b = of_a + size;
        mark(a, of_a, begin);
        mark(b, of_b, begin);
        for (size_t i = 0; i < size && !key.shares; ++i) key.shares = of_a[i] != 0 && of_b[i] != 0;
        free(of_a);
    }
    if (is_remembered) *known = key;
    return key.shares;
}

/// Whether elements of a buffer lie on each other: what is unpacked there and packed again has changed. A receive must
/// not have such a buffer (4.1.11), and a send may.
static bool overlaps_itself(struct request const* r) {
    enum { most_image = 1 << 22, most_known = 64 };
    static struct known {
        unsigned type_and_one;
        int count;
        bool overlaps;
    } before[most_known];
    size_t const size = (size_t)(r->span.end - r->span.begin);
    if (r->span.is_dense || r->type_number == no_type_number || size > most_image) return false;
    struct known* const known = &before[(r->type_number * 31 + (unsigned)r->count) % most_known];
    if (known->type_and_one == r->type_number + 1 && known->count == r->count) return known->overlaps;
    int const packed = packed_size(r->count, r->type);
    if (packed <= 0 || packed > most_image) return false;
    char* const image = allocate(size);
    char* const bytes = allocate(2 * (size_t)packed);
    char* const again = bytes + packed;
    uint32_t state = 1;
    for (int i = 0; i < packed; ++i) {
        state = state * 1664525U + 1013904223U;
        bytes[i] = (char)(state >> 24);
    }
    char* const start = image + ((char const*)r->buffer - r->span.begin);
    int from = 0, to = 0;
    ASKING(PMPI_Unpack(bytes, packed, &from, start, r->count, r->type, MPI_COMM_SELF));
    ASKING(PMPI_Pack(start, r->count, r->type, again, packed, &to, MPI_COMM_SELF));
    *known = (struct known){r->type_number + 1, r->count, from == to && memcmp(bytes, again, (size_t)to) != 0};
    free(image);
    free(bytes);
    return known->overlaps;
}

static char const* in_words(struct request const* r) {
    if (r->is_one_sided) return "the origin buffer";
    if (r->is_part) return r->kind == is_send ? "the send buffer" : "the receive buffer";
    return r->kind == is_send ? "the buffer of a send" : "the buffer of a receive";
}

static void overlap(struct request* r, struct request* pending) {
    if (r->span.has_overlap || !share_memory(r, pending)) return;
    r->span.has_overlap = pending->span.has_overlap = true;
    finding("buffer-overlap", r->function, r->place, pending->place, "%s overlaps %s that is pending, of %s",
            in_words(r), in_words(pending), pending->function);
}

// ---- trees ----------------------------------------------------------------------------------------------------------

static void update(struct request* r) {
    char const* furthest = r->span.end;
    struct request const* const children[] = {r->span.left, r->span.right};
    for (int i = 0; i < 2; ++i)
        if (children[i] != NULL && children[i]->span.furthest > furthest) furthest = children[i]->span.furthest;
    r->span.furthest = furthest;
}

static bool is_before(struct request const* a, struct request const* b) {
    return a->span.begin != b->span.begin ? a->span.begin < b->span.begin : (uintptr_t)a < (uintptr_t)b;
}

static struct request* join(struct request* a, struct request* b) {
    if (a == NULL || b == NULL) return a == NULL ? b : a;
    bool const is_a = a->span.priority > b->span.priority;
    if (is_a)
        a->span.right = join(a->span.right, b);
    else
        b->span.left = join(a, b->span.left);
    update(is_a ? a : b);
    return is_a ? a : b;
}

/// Into those before r, and the others.
static void split(struct request* tree, struct request const* r, struct request** before, struct request** others) {
    if (tree == NULL) {
        *before = *others = NULL;
        return;
    }
    if (is_before(tree, r)) {
        split(tree->span.right, r, &tree->span.right, others);
        *before = tree;
    } else {
        split(tree->span.left, r, before, &tree->span.left);
        *others = tree;
    }
    update(tree);
}

static void insert(struct request** root, struct request* r) {
    static uint32_t state = 1;
    state = state * 1664525U + 1013904223U;
    r->span.priority = state;
    r->span.left = r->span.right = NULL;
    update(r);
    struct request *before = NULL, *others = NULL;
    split(*root, r, &before, &others);
    *root = join(join(before, r), others);
}

static struct request* without(struct request* tree, struct request* r) {
    if (tree == NULL) return NULL;
    if (tree == r) return join(r->span.left, r->span.right);
    if (is_before(tree, r))
        tree->span.right = without(tree->span.right, r);
    else
        tree->span.left = without(tree->span.left, r);
    update(tree);
    return tree;
}

static void look_for_overlaps(struct request* tree, struct request* r) {
    while (tree != NULL && !r->span.has_overlap && tree->span.furthest > r->span.begin) {
        look_for_overlaps(tree->span.left, r);
        if (tree->span.begin >= r->span.end) return;
        if (tree != r && tree->span.end > r->span.begin) overlap(r, tree);
        tree = tree->span.right;
    }
}

// ---- what calls do --------------------------------------------------------------------------------------------------

bool some_buffer_is_pending(void) { return roots[0] != NULL || roots[1] != NULL; }

void look_at_buffer_of(struct request* r) {
    find_span(r);
    if (r->span.begin == r->span.end) return;
    look_for_overlaps(roots[1], r);
    if (r->kind == is_receive) look_for_overlaps(roots[0], r);
    if (r->kind == is_receive && overlaps_itself(r))
        finding("buffer-overlap", r->function, r->place, 0, "elements of its receive buffer overlap each other");
}

void compare_buffers(struct request* a, struct request* b) {
    bool const meet = a->span.begin < b->span.end && b->span.begin < a->span.end;
    if (!meet || a->span.has_overlap || !share_memory(a, b)) return;
    a->span.has_overlap = b->span.has_overlap = true;
    finding("buffer-overlap", a->function, a->place, 0, "its send buffer and its receive buffer overlap");
}

void buffer_is_pending(struct request* r) {
    if (r->kind == is_collective || r->span.begin == r->span.end || r->span.is_pending) return;
    insert(&roots[r->kind == is_receive], r);
    r->span.is_pending = true;
    r->span.contents = r->kind == is_send && !r->span.has_overlap ? contents_of(r) : 0;
}

void buffer_is_forgotten(struct request* r) {
    if (!r->span.is_pending) return;
    roots[r->kind == is_receive] = without(roots[r->kind == is_receive], r);
    r->span.is_pending = false;
}

void buffer_is_free(struct request* r) {
    for (struct request* part = r->parts; part != NULL; part = part->next) buffer_is_free(part);
    if (!r->span.is_pending) return;
    buffer_is_forgotten(r);
    if (r->kind != is_send || r->span.contents == 0 || r->span.has_overlap) return;
    uint64_t const now = memory_is_there(r->span.begin, r->span.end) ? contents_of(r) : 0;
    if (now != 0 && now != r->span.contents)
        finding("buffer-changed", r->function, r->place, waiting_at,
                "the program has changed the buffer before the %s was complete",
                r->is_one_sided ? "access"
                : r->is_part    ? "call"
                                : "send");
}

void now_waits_at(unsigned place) { waiting_at = place; }
