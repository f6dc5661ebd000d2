// Accesses of windows that are not complete: what their arguments must not be, buffers that the program must leave
// alone until then, and flushes that miss them. Buffers of basic types are looked at. Calls with requests are complete
// when the program has waited for these, so their buffers are not looked at.
#include "calls.h"

#include <stdlib.h>
#include <string.h>

enum {
    most_compared = 1 << 13, // bytes of what a get brings
    most_pending = 1 << 16,
    buffers_of_a_call = 3,
};

/// A buffer of an access that is not complete.
static struct pending {
    MPI_Win win;
    int target;
    struct request r;    // as if it were a send that reads the buffer, or a receive that writes it
    unsigned char* held; // what the buffer of a get held before the call, after it, and when a wait began
    size_t size;         // of each of these
    bool was_changed;    // since the call, before the wait began
    bool is_local;       // its buffer is free again
    unsigned missed_at;  // by a flush of another rank
    int missed_for;
    struct pending* next;
} * all, *issued[buffers_of_a_call];
static unsigned count;
static uint64_t on_the_way; // bytes

// ---- buffers --------------------------------------------------------------------------------------------------------

static void keep(struct remote_call const* call, struct data const* d, bool is_written, struct pending** kept) {
    if (d->count <= 0 || d->buffer == NULL || !is_type(d->type) || count >= most_pending) return;
    unsigned const type_number = number_of_type(d->type);
    int const width = dense_size(d->type);
    if (width == 0) return;
    struct pending* const p = allocate(sizeof *p);
    *p = (struct pending){.win = call->win, .target = call->target, .next = *kept};
    p->r = (struct request){.kind = is_written ? is_receive : is_send,
                            .function = call->function,
                            .place = call->place,
                            .buffer = (void*)(uintptr_t)d->buffer,
                            .count = d->count,
                            .type = d->type,
                            .type_number = type_number,
                            .is_one_sided = true};
    look_at_buffer_of(&p->r);
    p->size = (size_t)d->count * (size_t)width;
    if (is_written && p->size <= most_compared && !is_window_memory(d->buffer)) {
        p->held = allocate(3 * p->size);
        begin_reading(d->buffer, p->size);
        memcpy(p->held, d->buffer, p->size);
        end_reading();
    }
    *kept = p;
}

/// A get that brings something changes each byte at most once. So the program has changed one that changes once more.
static bool has_program_changed(struct pending const* p) {
    unsigned char const *before = p->held, *after = before + p->size, *at_wait = after + p->size, *now = p->r.buffer;
    for (size_t i = 0; i < p->size; ++i)
        if (at_wait[i] != after[i] && (after[i] != before[i] || now[i] != at_wait[i])) return true;
    return false;
}

static void begin_wait_for(struct pending* p) {
    if (p->is_local) return;
    if (p->r.kind == is_send) {
        buffer_is_free(&p->r);
    } else if (p->held != NULL && memory_is_there(p->r.buffer, (char const*)p->r.buffer + p->size)) {
        memcpy(p->held + 2 * p->size, p->r.buffer, p->size);
        p->was_changed = memcmp(p->held + p->size, p->r.buffer, p->size) != 0;
    }
}

static void end_wait_for(struct pending* p, unsigned place) {
    if (p->is_local) return;
    p->is_local = true;
    if (p->r.kind == is_receive && p->was_changed && !p->r.span.has_overlap && has_program_changed(p))
        finding("buffer-changed", p->r.function, p->r.place, place,
                "the program has changed the buffer before the access was complete");
    buffer_is_forgotten(&p->r);
}

// ---- what calls do --------------------------------------------------------------------------------------------------

uint64_t bytes_on_the_way(void) { return on_the_way; }

static void count_bytes(struct remote_call const* call) {
    int size = 0;
    if (call->count <= 0 || call->type == MPI_DATATYPE_NULL) return;
    PMPI_Type_size(call->type, &size);
    on_the_way += (uint64_t)call->count * (uint64_t)size;
}

void remote_call_begins(struct remote_call const* call) {
    if (!is_recording()) return;
    check_remote_call(call);
    if (call->target == MPI_PROC_NULL) return;
    access_in_epoch(call->function, call->place, call->win, call->target, call->by_request);
    count_bytes(call);
    if (call->by_request) return;
    struct pending* kept = NULL;
    keep(call, &call->read, false, &kept);
    keep(call, &call->compared, false, &kept);
    keep(call, &call->written, true, &kept);
    int n = 0;
    for (; kept != NULL; kept = kept->next) issued[n++] = kept;
}

void remote_call_is_issued(int code) {
    for (int i = 0; i < buffers_of_a_call; ++i) {
        struct pending* const p = issued[i];
        issued[i] = NULL;
        if (p == NULL) continue;
        if (code != MPI_SUCCESS) {
            free(p->held);
            free(p);
            continue;
        }
        buffer_is_pending(&p->r);
        if (is_window_memory(p->r.buffer)) p->r.span.contents = 0; // other ranks may write there
        if (p->held != NULL) memcpy(p->held + p->size, p->r.buffer, p->size);
        if (p->r.kind == is_receive) get_is_pending_at = p->r.place;
        p->next = all;
        all = p;
        ++count;
    }
}

static bool concerns(struct pending const* p, MPI_Win win, int target) {
    return p->win == win && (target == all_targets || p->target == target);
}

void accesses_are_awaited(MPI_Win win, int target, unsigned place) {
    if (all == NULL) return;
    now_waits_at(place);
    for (struct pending* p = all; p != NULL; p = p->next)
        if (concerns(p, win, target)) begin_wait_for(p);
}

void accesses_are_complete(MPI_Win win, int target, unsigned place, bool is_local) {
    get_is_pending_at = 0;
    on_the_way = 0;
    for (struct pending** at = &all; *at != NULL;) {
        struct pending* const p = *at;
        if (concerns(p, win, target)) end_wait_for(p, place);
        if (!concerns(p, win, target) || is_local) {
            if (p->r.kind == is_receive && !p->is_local) get_is_pending_at = p->r.place;
            at = &p->next;
            continue;
        }
        *at = p->next;
        free(p->held);
        free(p);
        --count;
    }
}

// ---- flushes that miss them -----------------------------------------------------------------------------------------

void only_one_is_flushed(MPI_Win win, int target, unsigned place) {
    for (struct pending const* p = all; p != NULL; p = p->next)
        if (p->win == win && p->target == target) return; // it has something to wait for
    for (struct pending* p = all; p != NULL; p = p->next)
        if (p->win == win && p->missed_at == 0) {
            p->missed_at = place;
            p->missed_for = target;
        }
}

void look_at_missed_accesses(void) {
    for (struct pending* p = all; p != NULL; p = p->next) {
        if (p->missed_at == 0) continue;
        finding("missed-flush", p->r.function, p->r.place, p->missed_at,
                "its access of rank %d is not complete by the flush of rank %d, which has nothing to wait for",
                p->target, p->missed_for);
        p->missed_at = 0;
    }
}
