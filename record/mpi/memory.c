// Windows, and what they hold. The file has what memory of this rank holds when the rank makes a call: so the reader
// sees which of it the program has stored.
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    max_watched = 1 << 16, // bytes of a window
    bytes_in_a_line = 32,
};

static struct window* windows;
static unsigned window_count;

struct window* find_window(MPI_Win handle) {
    for (struct window* w = windows; w != NULL; w = w->next)
        if (w->handle == handle) return w;
    return NULL;
}

/// Runs of bytes that are others than they were. Other ranks may write there meanwhile: what is read is read once.
static void look_at_window(struct window* w) {
    if (w->seen == NULL) return;
    begin_reading(w->base, w->size);
    for (size_t i = 0; i < w->size;) {
        if (w->seen[i] == w->base[i]) {
            ++i;
            continue;
        }
        i -= i % sizeof(uint64_t);
        size_t const end = i + bytes_in_a_line < w->size ? i + bytes_in_a_line : w->size;
        unsigned char now[bytes_in_a_line];
        char text[2 * bytes_in_a_line + 1];
        memcpy(now, w->base + i, end - i);
        for (size_t k = 0; k < end - i; ++k) snprintf(text + 2 * k, 3, "%02x", (unsigned)now[k]);
        memcpy(w->seen + i, now, end - i);
        begin_line("rma memory");
        add_number(w->number);
        add_number((int64_t)i);
        add_text(text);
        end_line();
        i = end;
    }
    end_reading();
}

void look_at_windows(void) {
    for (struct window* w = windows; w != NULL; w = w->next)
        if (w->handle != MPI_WIN_NULL) look_at_window(w);
}

struct window* window_at(void const* address) {
    for (struct window* w = windows; w != NULL; w = w->next)
        if (w->handle != MPI_WIN_NULL && (unsigned char const*)address >= w->base &&
            (unsigned char const*)address < w->base + w->size)
            return w;
    return NULL;
}

/// Of windows that are modelled or not.
static struct range {
    MPI_Win handle;
    unsigned char const* base;
    size_t size;
    struct range* next;
} * ranges;
static bool may_be_anywhere;

void window_has_memory(MPI_Win handle, void const* base, MPI_Aint size) {
    if (!is_recording() || size <= 0) return;
    struct range* const r = allocate(sizeof *r);
    *r = (struct range){handle, base, (size_t)size, ranges};
    ranges = r;
}

void window_has_gone(MPI_Win handle) {
    for (struct range** at = &ranges; *at != NULL;) {
        struct range* const r = *at;
        if (r->handle != handle) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        free(r);
    }
}

void window_may_grow(void) { may_be_anywhere = true; }

bool is_window_memory(void const* address) {
    for (struct range const* r = ranges; r != NULL && !may_be_anywhere; r = r->next)
        if ((unsigned char const*)address >= r->base && (unsigned char const*)address < r->base + r->size) return true;
    return may_be_anywhere;
}

void open_window(char const* function, unsigned place, void* base, MPI_Aint size, int unit, MPI_Comm comm,
                 MPI_Win handle) {
    struct communicator* const c = modelled(function, comm, place);
    if (c == NULL) return;
    struct window* const w = allocate(sizeof *w);
    *w = (struct window){
        .number = window_count++, .handle = handle, .comm = c, .base = base, .size = (size_t)size, .unit = unit};
    for (struct window const* other = windows; other != NULL; other = other->next)
        if (other->comm->number == c->number) ++w->place_in_comm;
    w->units = allocate((size_t)c->size * sizeof *w->units);
    if (!is_readable(base, w->size < max_watched ? w->size : max_watched))
        not_modelled(function, place, "a window whose memory cannot be read: what its rank stores there is not seen");
    else if (w->size <= max_watched)
        w->seen = allocate(w->size);
    else
        not_modelled(function, place, "a window of more than 64 KiB: what its rank stores there is not seen");
    bool const is_first = windows == NULL;
    w->next = windows;
    windows = w;
    begin_line("rma window");
    add_number(w->number);
    add_number(place);
    add_number(c->number);
    add_number(w->place_in_comm);
    add_number(unit);
    end_line();
    look_at_window(w);
    begin_line("rma ready"); // what its memory held before the program goes on
    add_number(w->number);
    end_line();
    // Nobody writes there before all have come here, so this is what the window holds at first.
    PMPI_Allgather(&unit, 1, MPI_INT, w->units, 1, MPI_INT, comm);
    if (is_first) return;
    begin_line("rma meet"); // nobody has accessed the first one before
    add_number(place);
    add_number(c->number);
    end_line();
}
