// Cells: eight bytes of memory, aligned. Each has a word of the runtime, which is its lock, too, and the value that
// its bytes had when they were last accessed.
#pragma once

#include "replay.h"

struct cell {
    uint64_t word;
    uint64_t value;
};

enum {
    cell_is_locked = 1,
    cell_is_constant = 2,
    cell_begins_block = 4,
    grain_shift = 3,          // two bits: the last access was of 1 << grain bytes
    mask_shift = 5,           // eight bits: bytes that were accessed
    cell_has_store = 1 << 13, // not all accesses of the last turn are loads of bytes that were accessed before
    owner_shift = 16,         // 14 bits: the thread of the last turn, from 1
    turn_shift = 30,
    readers = 0x3fff, // in place of the owner: the last turn is that of several threads
    said_turns = 1 << 15,
};

/// An access that is done: cells, of which the second one is null in most cases, are locked.
struct access {
    uintptr_t address;
    unsigned size; // 1, 2, 4, 8
    struct cell *first, *second;
    uint64_t words[2]; // as they were
    unsigned bytes[2]; // masks of what is accessed
    unsigned flags;    // enum matchpoint_access
    uint64_t before;   // the bytes that are there, as a number
    bool is_outside;   // somebody has written there since
};

enum { part_bits = 24, address_bits = 47, cell_bytes = 8 };
/// Memory of the program is divided into parts of 16 MB, each of which has a table of cells when one of its bytes is
/// accessed first.
extern struct cell* parts[(uint64_t)1 << (address_bits - part_bits)] __attribute__((visibility("hidden")));

/// Null if there is no such memory in any program.
struct cell* cell_of(uintptr_t address);

/// Null if the part has no table.
static inline struct cell* known_cell(uintptr_t address) {
    if (address >> address_bits != 0) return NULL;
    struct cell* const part = __atomic_load_n(&parts[address >> part_bits], __ATOMIC_ACQUIRE);
    return part == NULL ? NULL : &part[(address & (((uintptr_t)1 << part_bits) - 1)) / cell_bytes];
}

/// The bits of `size` bytes.
static inline uint64_t bits_of(unsigned size) {
    return size == cell_bytes ? UINT64_MAX : ((uint64_t)1 << 8 * size) - 1;
}

static inline uint64_t lock_cell(struct cell* c) {
    while (true) {
        uint64_t word = __atomic_load_n(&c->word, __ATOMIC_RELAXED);
        if ((word & cell_is_locked) == 0 && __atomic_compare_exchange_n(&c->word, &word, word | cell_is_locked, true,
                                                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return word;
        __builtin_ia32_pause();
    }
}

static inline void unlock_cell(struct cell* c, uint64_t word) { __atomic_store_n(&c->word, word, __ATOMIC_RELEASE); }

/// The turn of a cell as `self.said` remembers it, at the place that is the lowest bits of the number of the cell.
static inline uint64_t said_turn(uintptr_t address, uint64_t word) {
    enum { turn_bits = 64 - turn_shift };
    return address / cell_bytes / said_turns << turn_bits | word >> turn_shift;
}
/// Whether the file says that this thread has a part in the turn, which is that of several.
static inline bool is_said_turn(uintptr_t address, uint64_t word) {
    return self.said[address / cell_bytes % said_turns] == said_turn(address, word);
}

static inline unsigned grain_of(struct cell const* c) {
    return 1U << (__atomic_load_n(&c->word, __ATOMIC_RELAXED) >> grain_shift & 3);
}

/// The bytes at the address, as a number.
static inline uint64_t bytes_at(uintptr_t address, unsigned size) {
    uint64_t value = 0;
    switch (size) {
    case 1: return *(uint8_t volatile*)address;
    case 2: memcpy(&value, (void const*)address, 2); return value;
    case 4: memcpy(&value, (void const*)address, 4); return value;
    }
    memcpy(&value, (void const*)address, 8);
    return value;
}

static inline void set_bytes(uintptr_t address, unsigned size, uint64_t value) {
    switch (size) {
    case 1: *(uint8_t volatile*)address = (uint8_t)value; return;
    case 2: memcpy((void*)address, &value, 2); return;
    case 4: memcpy((void*)address, &value, 4); return;
    }
    memcpy((void*)address, &value, 8);
}

/// Waits for the turn of a replay, locks the cells, and writes what was written there by somebody outside. False if the
/// memory is constant, or is not there; nothing is locked then, and the access is not recorded. Sets flags for turns;
/// `old` are the bytes before.
bool begin_access(struct access* a, enum matchpoint_replayed what, struct site* site, uintptr_t address, unsigned size);
/// The fields of an access: place, flags, size, address and its node, turns, old value. `stores`: it writes.
uint8_t* put_access(uint8_t* at, struct access* a, uint32_t place, uint32_t node, bool stores);
/// Remembers what is there now, which is `value`, and unlocks.
void end_access(struct access* a, uint64_t value);
/// The thread has written those of `bytes`, which are at `begin`, that are in one cell. Returns the number of its turn.
uint64_t touch_cell(uintptr_t cell, uintptr_t begin, uint64_t size, uint8_t const* bytes);
