// One-sided communication: windows, and what ranks do with each other's memory. The file has a line `rma ...` for each
// element of each call, and what memory holds when a rank makes a call: so the reader sees which of it the program has
// stored.
#include "recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    max_elements = 64, // of a call
    all_targets = -2,  // of a flush
};

/// Memory of this rank that is no window, by its address.
static struct buffer {
    void const* address;
    int size; // of an integer; negative if it is signed
    unsigned number;
    char seen[40]; // its value, as it was written down last
    struct buffer* next;
} * buffers[1 << 12]; // by a hash of the address
static unsigned buffer_count;

/// A get, or a remote atomic that fetches: its value comes with a flush.
static struct fetched {
    struct window* w;
    int target; // in MPI_COMM_WORLD
    void* address;
    MPI_Datatype type;
    struct fetched* next;
} * fetches;
/// What else is not flushed, by window and target: puts and accumulates.
static struct written {
    struct window* w;
    int target;
    struct written* next;
} * writes;

// ---- what memory holds
// --------------------------------------------------------------------------------------------------------

static struct buffer* buffer_at(void const* address, int size) {
    struct buffer** const first = &buffers[((uintptr_t)address * 0x9E3779B97F4A7C15U >> 52)];
    for (struct buffer* b = *first; b != NULL; b = b->next) {
        if (b->address == address && b->size == size) return b;
        if (b->address == address)
            not_modelled("MPI_Win", 0, "a buffer with elements of several types; it is a variable for each");
    }
    struct buffer* const b = allocate(sizeof *b);
    *b = (struct buffer){.address = address, .size = size, .number = buffer_count++, .next = *first};
    *first = b;
    return b;
}

/// Writes down what a buffer holds, if that is not known. What is on its way there may have come.
static void look_at_buffer(void const* address, int size, MPI_Datatype type) {
    if (address == NULL || window_at(address) != NULL) return;
    for (struct fetched const* f = fetches; f != NULL; f = f->next)
        if (f->address == address) return;
    struct buffer* const b = buffer_at(address, size);
    char value[sizeof b->seen];
    print_value(value, sizeof value, address, type);
    if (strcmp(value, b->seen) == 0) return;
    strcpy(b->seen, value);
    begin_line("rma buffer");
    add_number(b->number);
    add_text(value);
    end_line();
}

/// `w0.8`: byte 8 of window 0, or `b3`: buffer 3; `-`: none.
static void add_local(void const* address, int size) {
    char text[48] = "-";
    struct window const* const w = address == NULL ? NULL : window_at(address);
    if (w != NULL)
        snprintf(text, sizeof text, "w%u.%zu", w->number, (size_t)((unsigned char const*)address - w->base));
    else if (address != NULL)
        snprintf(text, sizeof text, "b%u", buffer_at(address, size)->number);
    add_text(text);
}

// ---- windows --------------------------------------------------------------------------------------------------------

RECORDER_API int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* win) {
    ENTER;
    unsigned const place = CALLER();
    int const code = PROGRAMS(PMPI_Win_create(base, size, unit, info, comm, win));
    if (code == MPI_SUCCESS && is_recording()) open_window("MPI_Win_create", place, base, size, unit, comm, *win);
    if (code == MPI_SUCCESS) object_made(a_window, HANDLE(*win), "MPI_Win_create", place);
    return code;
}

RECORDER_API int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win) {
    ENTER;
    unsigned const place = CALLER();
    int const code = PROGRAMS(PMPI_Win_allocate(size, unit, info, comm, base, win));
    if (code == MPI_SUCCESS && is_recording())
        open_window("MPI_Win_allocate", place, *(void**)base, size, unit, comm, *win);
    if (code == MPI_SUCCESS) object_made(a_window, HANDLE(*win), "MPI_Win_allocate", place);
    return code;
}

// ---- remote statements
// --------------------------------------------------------------------------------------------------------

/// An access of elements of a target; `type` is that of one.
struct access {
    struct window* w;
    int target;    // in MPI_COMM_WORLD
    size_t offset; // in bytes
    int size;      // of an element; negative if it is signed
    int count;
    MPI_Datatype type;
    unsigned place;
};

/// False if there is nothing to write down. Looks at memory, too.
static bool describe(struct access* a, char const* function, unsigned place, MPI_Win win, int target,
                     MPI_Aint displacement, int count, MPI_Datatype type, int target_count, MPI_Datatype target_type) {
    if (!is_recording() || target == MPI_PROC_NULL || count <= 0) return false;
    *a = (struct access){.w = find_window(win), .count = count, .type = type, .place = place};
    char const* why = NULL;
    a->size = integer_size(type);
    if (a->w != NULL) {
        check_target(function, place, a->w->comm, target);
        if (world_rank(a->w->comm, target) < 0) return false; // the library refuses it
    }
    if (a->w == NULL)
        why = "its window was made by a call that is not modelled";
    else if (a->size == 0 || integer_size(target_type) != a->size || count != target_count)
        why = "elements are integers, of the same type on both sides; others, and derived datatypes, are not modelled";
    else if (count > max_elements)
        why = "more than 64 elements in one call are not modelled";
    if (why != NULL) {
        not_modelled(function, place, why);
        return false;
    }
    a->target = world_rank(a->w->comm, target);
    a->offset = (size_t)displacement * (size_t)a->w->units[target];
    look_at_windows();
    return true;
}

static size_t width(struct access const* a) { return (size_t)(a->size < 0 ? -a->size : a->size); }
static void const* element(struct access const* a, void const* data, int i) {
    return data == NULL ? NULL : (unsigned char const*)data + (size_t)i * width(a);
}

static void begin_access(struct access const* a, char const* word, int i) {
    begin_line(word);
    add_number(a->place);
    add_number(a->w->number);
    add_number(a->target);
    add_number((int64_t)(a->offset + (size_t)i * width(a)));
    add_number(a->size);
}

static void note_fetch(struct access const* a, void* address) {
    struct fetched* const f = allocate(sizeof *f);
    *f = (struct fetched){a->w, a->target, address, a->type, fetches};
    fetches = f;
}

static void note_write(struct access const* a) {
    struct written* const w = allocate(sizeof *w);
    *w = (struct written){a->w, a->target, writes};
    writes = w;
}

RECORDER_API int MPI_Put(void const* data, int count, MPI_Datatype type, int target, MPI_Aint displacement,
                         int target_count, MPI_Datatype target_type, MPI_Win win) {
    ENTER;
    struct access a;
    if (describe(&a, "MPI_Put", CALLER(), win, target, displacement, count, type, target_count, target_type)) {
        for (int i = 0; i < count; ++i) {
            look_at_buffer(element(&a, data, i), a.size, type);
            begin_access(&a, "rma put", i);
            add_local(element(&a, data, i), a.size);
            end_line();
        }
        note_write(&a);
    }
    return PROGRAMS(PMPI_Put(data, count, type, target, displacement, target_count, target_type, win));
}

RECORDER_API int MPI_Get(void* data, int count, MPI_Datatype type, int target, MPI_Aint displacement, int target_count,
                         MPI_Datatype target_type, MPI_Win win) {
    ENTER;
    struct access a;
    if (describe(&a, "MPI_Get", CALLER(), win, target, displacement, count, type, target_count, target_type))
        for (int i = 0; i < count; ++i) {
            void* const to = (unsigned char*)data + (size_t)i * width(&a);
            look_at_buffer(to, a.size, type);
            begin_access(&a, "rma get", i);
            add_local(to, a.size);
            end_line();
            note_fetch(&a, to);
        }
    return PROGRAMS(PMPI_Get(data, count, type, target, displacement, target_count, target_type, win));
}

static bool has_name(char const* function, unsigned place, MPI_Op op) {
    if (name_of_operation(op) == NULL) not_modelled(function, place, "this operation is not modelled");
    return name_of_operation(op) != NULL;
}

RECORDER_API int MPI_Accumulate(void const* data, int count, MPI_Datatype type, int target, MPI_Aint displacement,
                                int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    struct access a;
    if (describe(&a, "MPI_Accumulate", place, win, target, displacement, count, type, target_count, target_type) &&
        has_name("MPI_Accumulate", place, op)) {
        for (int i = 0; i < count; ++i) {
            look_at_buffer(element(&a, data, i), a.size, type);
            begin_access(&a, "rma accumulate", i);
            add_text(name_of_operation(op));
            add_local(element(&a, data, i), a.size);
            end_line();
        }
        note_write(&a);
    }
    return PROGRAMS(PMPI_Accumulate(data, count, type, target, displacement, target_count, target_type, op, win));
}

RECORDER_API int MPI_Fetch_and_op(void const* data, void* result, MPI_Datatype type, int target, MPI_Aint displacement,
                                  MPI_Op op, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    struct access a;
    if (describe(&a, "MPI_Fetch_and_op", place, win, target, displacement, 1, type, 1, type) &&
        has_name("MPI_Fetch_and_op", place, op)) {
        void const* const operand = op == MPI_NO_OP ? NULL : data; // it need not be there
        look_at_buffer(operand, a.size, type);
        look_at_buffer(result, a.size, type);
        begin_access(&a, "rma fetch", 0);
        add_text(name_of_operation(op));
        add_local(operand, a.size);
        add_local(result, a.size);
        end_line();
        note_fetch(&a, result);
    }
    return PROGRAMS(PMPI_Fetch_and_op(data, result, type, target, displacement, op, win));
}

RECORDER_API int MPI_Compare_and_swap(void const* data, void const* compared, void* result, MPI_Datatype type,
                                      int target, MPI_Aint displacement, MPI_Win win) {
    ENTER;
    struct access a;
    if (describe(&a, "MPI_Compare_and_swap", CALLER(), win, target, displacement, 1, type, 1, type)) {
        look_at_buffer(data, a.size, type);
        look_at_buffer(compared, a.size, type);
        look_at_buffer(result, a.size, type);
        begin_access(&a, "rma swap", 0);
        add_local(data, a.size);
        add_local(compared, a.size);
        add_local(result, a.size);
        end_line();
        note_fetch(&a, result);
    }
    return PROGRAMS(PMPI_Compare_and_swap(data, compared, result, type, target, displacement, win));
}

// ---- waiting --------------------------------------------------------------------------------------------------------

static bool concerns(struct window const* w, int target, struct window const* of, int to) {
    return w == of && (target == all_targets || target == to);
}

/// What was fetched has come.
static void arrived(struct fetched const* f) {
    int const size = integer_size(f->type);
    unsigned const number = new_number();
    received_into(f->address, number);
    begin_line("rma load");
    add_number(number);
    add_number(value_of(f->address, 1, f->type));
    add_local(f->address, size);
    end_line();
    if (window_at(f->address) != NULL) return;
    struct buffer* const b = buffer_at(f->address, size);
    print_value(b->seen, sizeof b->seen, f->address, f->type);
}

static void forget(struct window const* w, int target) {
    for (struct written** at = &writes; *at != NULL;) {
        struct written* const gone = *at;
        if (!concerns(w, target, gone->w, gone->target)) {
            at = &gone->next;
            continue;
        }
        *at = gone->next;
        free(gone);
    }
    for (struct fetched** at = &fetches; *at != NULL;) {
        struct fetched* const gone = *at;
        if (!concerns(w, target, gone->w, gone->target)) {
            at = &gone->next;
            continue;
        }
        arrived(gone);
        *at = gone->next;
        free(gone);
    }
}

/// The library has flushed: the target in MPI_COMM_WORLD, or all of them.
static void flushed(struct window* w, unsigned place, int target) {
    begin_line("rma flush");
    add_number(place);
    add_number(w->number);
    if (target == all_targets)
        add_text("*");
    else
        add_number(target);
    end_line();
    forget(w, target);
    look_at_windows();
}

static bool has_writes(struct window const* w, int target) {
    for (struct written const* p = writes; p != NULL; p = p->next)
        if (concerns(w, target, p->w, p->target)) return true;
    return false;
}

/// A local flush waits for what a get has to bring, and not for a put to be there.
static void flushed_locally(char const* function, struct window* w, unsigned place, int target) {
    if (has_writes(w, target))
        not_modelled(function, place, "a local flush after a put or an accumulate is left out");
    else
        flushed(w, place, target);
}

enum { every_rank = INT32_MIN };
/// Calls that name a target, or every rank. What the library refuses, or asks of nobody, flushes nothing.
#define FLUSHES(name, is_local, parameters, rank, ...)                                                                 \
    RECORDER_API int MPI_##name parameters {                                                                           \
        ENTER;                                                                                                         \
        unsigned const place = CALLER();                                                                               \
        struct window* const w = is_recording() ? find_window(win) : NULL;                                             \
        if (w != NULL) look_at_windows();                                                                              \
        int const code = PROGRAMS(PMPI_##name(__VA_ARGS__));                                                           \
        if (w == NULL || code != MPI_SUCCESS) return code;                                                             \
        int const target = (rank) == every_rank ? all_targets : world_rank(w->comm, rank);                             \
        if (target < 0 && (rank) != every_rank) return code;                                                           \
        if (is_local)                                                                                                  \
            flushed_locally("MPI_" #name, w, place, target);                                                           \
        else                                                                                                           \
            flushed(w, place, target);                                                                                 \
        return code;                                                                                                   \
    }

FLUSHES(Win_flush, false, (int rank, MPI_Win win), rank, rank, win)
FLUSHES(Win_flush_all, false, (MPI_Win win), every_rank, win)
FLUSHES(Win_flush_local, true, (int rank, MPI_Win win), rank, rank, win)
FLUSHES(Win_flush_local_all, true, (MPI_Win win), every_rank, win)
FLUSHES(Win_unlock_all, false, (MPI_Win win), every_rank, win)

static void write_lock(char const* word, struct window const* w, unsigned place, int rank) {
    begin_line(word);
    add_number(place);
    add_number(w->number);
    add_number(world_rank(w->comm, rank));
    end_line();
}

RECORDER_API int MPI_Win_lock(int kind, int rank, int assertion, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    int const code = PROGRAMS(PMPI_Win_lock(kind, rank, assertion, win));
    struct window* const w = is_recording() ? find_window(win) : NULL;
    if (w == NULL || rank == MPI_PROC_NULL || code != MPI_SUCCESS) return code;
    if (kind == MPI_LOCK_EXCLUSIVE) write_lock("rma lock", w, place, rank);
    look_at_windows();
    return code;
}

RECORDER_API int MPI_Win_unlock(int rank, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    struct window* const w = is_recording() ? find_window(win) : NULL;
    if (w != NULL) look_at_windows();
    int const code = PROGRAMS(PMPI_Win_unlock(rank, win));
    if (w == NULL || rank == MPI_PROC_NULL || code != MPI_SUCCESS) return code;
    flushed(w, place, world_rank(w->comm, rank));
    write_lock("rma unlock", w, place, rank); // of a shared lock, too: the reader knows which it is
    return code;
}

/// All ranks of the window meet, when each has flushed.
static void meet(struct window* w, unsigned place) {
    begin_line("rma meet");
    add_number(place);
    add_number(w->comm->number);
    end_line();
}

RECORDER_API int MPI_Win_fence(int assertion, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    struct window* const w = is_recording() ? find_window(win) : NULL;
    if (w != NULL) look_at_windows();
    int const code = PROGRAMS(PMPI_Win_fence(assertion, win));
    if (w == NULL || code != MPI_SUCCESS) return code;
    flushed(w, place, all_targets);
    if ((assertion & MPI_MODE_NOPRECEDE) == 0) meet(w, place); // otherwise nobody has to wait
    return code;
}

RECORDER_API int MPI_Win_free(MPI_Win* win) {
    ENTER;
    if (is_nowhere("MPI_Win_free", CALLER(), win == NULL, "window")) return PROGRAMS(PMPI_Win_free(win));
    unsigned const place = CALLER();
    struct window* const w = is_recording() ? find_window(*win) : NULL;
    if (w != NULL) {
        look_at_windows();
        flushed(w, place, all_targets); // an epoch has to be over
        meet(w, place);
        w->handle = MPI_WIN_NULL;
        free(w->seen);
        w->seen = NULL;
    }
    object_freed(a_window, HANDLE(*win));
    return PROGRAMS(PMPI_Win_free(win));
}
