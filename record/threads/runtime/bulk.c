// Memory that is accessed in pieces: copies, and what functions outside read and write. A piece is not larger than
// the last access to its cell was, so that the members of a structure stay apart.
#define _GNU_SOURCE
#include "cells.h"

enum { of_one_record = 4096, spare = 256 };

static unsigned piece(uintptr_t address, uint64_t left, unsigned most) {
    unsigned size = most;
    while (size > left || address % size != 0) size /= 2;
    struct cell const* const c = cell_of(address);
    unsigned const grain = c == NULL || c->word == 0 ? size : grain_of(c);
    return grain < size ? grain : size;
}

void __matchpoint_copy(struct site* site, void* to, void const* from, uint64_t size) {
    if (!self.writes || self.inside != 0) {
        memmove(to, from, size);
        return;
    }
    uintptr_t const a = (uintptr_t)to, b = (uintptr_t)from;
    bool const is_backwards = a > b && a < b + size;
    for (uint64_t done = 0; done < size;) {
        // Backwards, the pieces are those that end there.
        unsigned n = is_backwards ? piece(b, size - done, 1) : piece(b + done, size - done, 8);
        if (!is_backwards)
            while ((a + done) % n != 0 || piece(a + done, size - done, n) < n) n /= 2;
        uint64_t const at = is_backwards ? size - done - n : done;
        struct read const r = __matchpoint_load(site, (char const*)from + at, n, 0);
        __matchpoint_store(site, (char*)to + at, n, 0, r.value, (uint32_t)r.node);
        done += n;
    }
}

void __matchpoint_fill(struct site* site, void* to, uint32_t byte, uint64_t size) {
    if (!self.writes || self.inside != 0) {
        memset(to, (int)byte, size);
        return;
    }
    for (uint64_t done = 0; done < size;) {
        uintptr_t const at = (uintptr_t)to + done;
        unsigned const n = piece(at, size - done, 8);
        __matchpoint_store(site, (void*)at, n, 0, (byte & 0xff) * (UINT64_MAX / 0xff), 0);
        done += n;
    }
}

void __matchpoint_reads(struct site* site, void const* address, uint64_t size) {
    if (!self.writes || self.inside != 0) return;
    for (uint64_t done = 0; done < size;) {
        char const* const at = (char const*)address + done;
        unsigned const n = piece((uintptr_t)at, size - done, 8);
        struct read const r = __matchpoint_load(site, at, n, 0);
        __matchpoint_concrete(site, (uint32_t)r.node, r.value, matchpoint_of_call | 8 * n << 8);
        done += n;
    }
}

void __matchpoint_read(struct site* site, void const* from, void* buffer, uint64_t size, uint32_t how) {
    bool const is_recorded = self.writes && self.inside == 0;
    if (!is_recorded) memcpy(buffer, from, size);
    for (uint64_t done = 0; done < size && is_recorded;) {
        uintptr_t const at = (uintptr_t)from + done;
        unsigned const n = piece(at, size - done, 8);
        struct read const r = __matchpoint_load(site, (void const*)at, n | how, 0);
        __matchpoint_concrete(site, (uint32_t)r.node, r.value, matchpoint_of_operation | 8 * n << 8);
        memcpy((char*)buffer + done, &r.value, n);
        done += n;
    }
}

void __matchpoint_write(struct site* site, void* to, void const* buffer, uint64_t size, uint32_t how) {
    bool const is_recorded = self.writes && self.inside == 0;
    if (!is_recorded) memcpy(to, buffer, size);
    for (uint64_t done = 0; done < size && is_recorded;) {
        uintptr_t const at = (uintptr_t)to + done;
        unsigned const n = piece(at, size - done, 8);
        uint64_t value = 0;
        memcpy(&value, (char const*)buffer + done, n);
        __matchpoint_store(site, (void*)at, n | how, 0, value, 0);
        done += n;
    }
}

/// One record for the bytes of up to 64 cells.
static void wrote_part(struct site* site, uintptr_t address, uint64_t size) {
    if (!enter()) return;
    await_turn(matchpoint_replayed_outside, site, address);
    uint32_t const place = place_of(site);
    uint8_t* const begin = begin_record(of_one_record);
    if (begin != NULL) {
        uint8_t* at = put_u(begin + 1, place);
        at = put_u(put_u(at, address), size);
        uint8_t const* const bytes = memcpy(at, (void const*)address, size);
        at += size;
        uint64_t const first = address / 8, last = (address + size - 1) / 8;
        at = put_u(at, last - first + 1);
        for (uint64_t cell = first; cell <= last; ++cell)
            at = put_u(put_u(at, 1), touch_cell(cell * 8, address, size, bytes));
        end_record(begin, matchpoint_outside, at);
    }
    leave();
}

void __matchpoint_wrote(struct site* site, void const* address, uint64_t size) {
    enum { part = 512 };
    if ((int64_t)size < 0) return; // the call has failed
    for (uint64_t done = 0; done < size; done += part)
        wrote_part(site, (uintptr_t)address + done, size - done < part ? size - done : part);
}

void __matchpoint_reads_string(struct site* site, char const* text, uint64_t most) {
    size_t const length = strnlen(text, most);
    __matchpoint_reads(site, text, length < most ? length + 1 : length);
}

void __matchpoint_wrote_string(struct site* site, char const* text) {
    __matchpoint_wrote(site, text, strlen(text) + 1);
}
