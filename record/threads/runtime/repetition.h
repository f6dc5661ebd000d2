// Short records of up to seven bytes, as a number whose lowest byte comes first. What a loop writes are often the same
// bytes again: then one record counts them (matchpoint_again), and nothing else is written.
#pragma once

#include "state.h"

enum {
    most_of_number = 7,  // bytes
    room_of_number = 32, // for such a record, or one that counts
    size_of_again = 9,
    least_same = 32,           // bytes that are the same, before they are counted
    most_repetitions = 1 << 16 // so that a file can be cut
};

/// Such a record, while it is put together. `size` is larger than most_of_number if it is too long.
struct short_record {
    uint64_t bytes;
    unsigned size;
};

static inline struct short_record short_of(uint32_t form) {
    uint32_t const rest = form >> 6;
    return (struct short_record){(matchpoint_short | (form & 63)) | rest << 8, rest < 0x80 ? 2 : most_of_number + 1};
}

/// A record that gets too long is not written: its bytes do not matter.
static inline void add_u(struct short_record* r, uint64_t n) {
    unsigned const shift = 8 * r->size & 63;
    if (__builtin_expect(n < 0x80, true)) {
        r->bytes |= n << shift;
        r->size += 1;
    } else if (n < 0x4000) {
        r->bytes |= ((n & 0x7f) | 0x80 | (n >> 7) << 8) << shift;
        r->size += 2;
    } else {
        r->size += most_of_number;
    }
}

static inline void add_s(struct short_record* r, int64_t n) { add_u(r, ((uint64_t)n << 1) ^ (n < 0 ? UINT64_MAX : 0)); }

static inline uint64_t eight_bytes(uint8_t const* at) {
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/// What no record is the same as.
extern uint8_t no_record[sizeof(uint64_t)] __attribute__((visibility("hidden")));

/// The fields of a record that counts.
struct counted {
    uint32_t period, n;
};

static inline bool is_same(uint8_t const* at, struct short_record r) {
    return ((eight_bytes(at) ^ r.bytes) << (64 - 8 * r.size)) == 0;
}

/// The next records are counted if enough of them were the same as those that come from `source` on.
void count_repetitions(void);

static inline bool is_to_count(void) {
    struct repetition const* const p = &self.repetition;
    return p->same >= least_same && p->again == NULL && p->same >= (uintptr_t)(p->end - p->source);
}

/// Writes it. Its first byte is written with the others: a killed thread has written it, or not. False if there is no
/// room, or count_repetitions() has to be called before. It calls nothing, as its callers are fast so.
static inline __attribute__((always_inline)) bool write_number(struct last_short* last, struct short_record r) {
    struct repetition* const p = &self.repetition;
    uint8_t* const at = self.at;
    bool const goes_on = at == p->end;
    bool const is_expected = goes_on && is_same(p->source, r);
    uint8_t* const again = p->again;
    if (__builtin_expect(is_expected && again != NULL, true)) {
        uint8_t* const source = p->source + r.size;
        struct counted counted;
        memcpy(&counted, again + 1, sizeof counted);
        p->source = source == again ? source - counted.period : source;
        ++counted.n;
        memcpy(again + 1 + sizeof counted.period, &counted.n, sizeof counted.n);
        if (counted.n == most_repetitions) p->end = NULL;
        return true;
    }
    if (at + room_of_number > self.limit) return false;
    if (is_expected) {
        if (is_to_count()) return false;
        p->source += r.size;
        p->same += r.size;
    } else {
        // What follows the last record of this form may come again, if nothing is between it and this one that is not
        // short.
        bool const is_known = goes_on && again == NULL && last->at != NULL && is_same(last->at, r);
        p->source = is_known ? last->at + r.size : no_record;
        p->same = is_known ? r.size : 0;
        p->again = NULL;
    }
    last->at = at;
    memcpy(at, &r.bytes, sizeof r.bytes);
    self.at = p->end = at + r.size;
    return true;
}
