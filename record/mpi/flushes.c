// What is on its way in windows that are modelled: what a flush has to wait for, what it brings, and what buffers hold.
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// ---- what memory holds ----------------------------------------------------------------------------------------------

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

/// What is on its way there may have come.
void look_at_buffer(void const* address, int size, MPI_Datatype type) {
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

void add_local(void const* address, int size) {
    char text[48] = "-";
    struct window const* const w = address == NULL ? NULL : window_at(address);
    if (w != NULL)
        snprintf(text, sizeof text, "w%u.%zu", w->number, (size_t)((unsigned char const*)address - w->base));
    else if (address != NULL)
        snprintf(text, sizeof text, "b%u", buffer_at(address, size)->number);
    add_text(text);
}

void fetch_is_pending(struct window* w, int target, void* address, MPI_Datatype type) {
    struct fetched* const f = allocate(sizeof *f);
    *f = (struct fetched){w, target, address, type, fetches};
    fetches = f;
}

void write_is_pending(struct window* w, int target) {
    struct written* const p = allocate(sizeof *p);
    *p = (struct written){w, target, writes};
    writes = p;
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

void flushed(struct window* w, unsigned place, int target) {
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

void flushed_locally(char const* function, struct window* w, unsigned place, int target) {
    if (has_writes(w, target))
        not_modelled(function, place, "a local flush after a put or an accumulate is left out");
    else
        flushed(w, place, target);
}
