// The table of cells, and their turns.
#define _GNU_SOURCE
#include "cells.h"

#include <sys/mman.h>

struct cell* parts[(uint64_t)1 << (address_bits - part_bits)];

static void new_part(size_t index) {
    size_t const size = ((size_t)1 << part_bits) / cell_bytes * sizeof(struct cell);
    struct cell* const mine = own_memory(size);
    struct cell* other = NULL;
    if (!__atomic_compare_exchange_n(&parts[index], &other, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        munmap(mine, size);
}

struct cell* cell_of(uintptr_t address) {
    if (address >> address_bits != 0) return NULL;
    size_t const index = address >> part_bits;
    if (__atomic_load_n(&parts[index], __ATOMIC_ACQUIRE) == NULL) new_part(index);
    return known_cell(address);
}

static unsigned mask_of(uint64_t word) { return word >> mask_shift & 0xff; }
static uint64_t turn_of(uint64_t word) { return word >> turn_shift; }

/// The bytes of a mask, each 255 or 0.
static uint64_t spread(unsigned mask) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < cell_bytes; ++i) bits |= (mask >> i & 1) == 0 ? 0 : (uint64_t)0xff << 8 * i;
    return bits;
}

static uint64_t value_of_cell(uintptr_t address) { return *(uint64_t volatile*)(address & ~(uintptr_t)7); }

/// Whether the access, which only `loads` what is known, has to say the number of its turn. Begins one, or makes
/// one that of several threads, if need be.
static bool take_turn(uint64_t* word, uintptr_t address, bool loads) {
    uint64_t const owner = (uint64_t)(self.number + 1) << owner_shift, owners = (uint64_t)0x3fff << owner_shift;
    if ((*word & owners) == owner) {
        if (!loads) *word |= cell_has_store;
        return false;
    }
    if (loads && turn_of(*word) != 0 && (*word & cell_has_store) == 0) {
        *word |= (uint64_t)readers << owner_shift;
        bool const is_said = is_said_turn(address, *word);
        self.said[address / cell_bytes % said_turns] = said_turn(address, *word);
        return !is_said;
    }
    uint64_t const has_store = loads ? 0 : cell_has_store;
    *word = ((*word & ~(owners | cell_has_store)) | owner | has_store) + ((uint64_t)1 << turn_shift);
    return true;
}

/// Compares only as much as is accessed: the processor has it at hand.
static bool is_changed_in_one(struct access const* a, uint64_t word) {
    unsigned const known = mask_of(word) & a->bytes[0], shift = 8 * (a->address % cell_bytes);
    if (known == 0) return false;
    uint64_t const looked_at = known == a->bytes[0] ? bits_of(a->size) : spread(known) >> shift;
    return (((a->first->value >> shift) ^ a->before) & looked_at) != 0;
}

static bool is_changed(struct cell const* c, uint64_t word, unsigned bytes, uintptr_t address) {
    unsigned const known = mask_of(word) & bytes;
    return known != 0 && ((value_of_cell(address) ^ c->value) & spread(known)) != 0;
}

/// Somebody outside has written there since the last access: a record of its own, in the same turn.
static void write_outside(struct access* a, uint32_t place) {
    uint8_t* const begin = begin_record(128);
    if (begin == NULL) return;
    uint8_t* at = put_u(begin + 1, place);
    at = put_u(at, a->address);
    at = put_u(at, a->size);
    memcpy(at, (void const*)a->address, a->size);
    at += a->size;
    at = put_u(at, a->second == NULL ? 1 : 2);
    at = put_u(put_u(at, 1), turn_of(a->words[0]));
    if (a->second != NULL) at = put_u(put_u(at, 1), turn_of(a->words[1]));
    end_record(begin, matchpoint_outside, at);
    a->flags &= ~(unsigned)(matchpoint_new_turn | matchpoint_new_second_turn);
}

/// False if the cell is constant; it is not locked then.
static bool lock_one(struct access* a, int which, struct cell* c, uintptr_t address) {
    uint64_t word = lock_cell(c);
    if (word >> mask_shift == 0 && is_read_only(address)) word |= cell_is_constant;
    if ((word & cell_is_constant) != 0) {
        unlock_cell(c, word);
        return false;
    }
    a->words[which] = word;
    return true;
}

static bool is_new_to_all(struct access const* a) {
    return (a->bytes[0] & ~mask_of(a->words[0])) != 0 ||
           (a->second != NULL && (a->bytes[1] & ~mask_of(a->words[1])) != 0);
}

bool begin_access(struct access* a, enum matchpoint_replayed what, struct site* site, uintptr_t address,
                  unsigned size) {
    uintptr_t const last = address + size - 1;
    struct cell* const c = cell_of(address);
    if (c == NULL || (__atomic_load_n(&c->word, __ATOMIC_RELAXED) & cell_is_constant) != 0) return false;
    a->address = address;
    a->size = size;
    a->flags = 0;
    a->first = c;
    a->second = address / cell_bytes == last / cell_bytes ? NULL : cell_of(last);
    unsigned const mask = ((1U << size) - 1) << (address % cell_bytes);
    a->bytes[0] = mask & 0xff;
    a->bytes[1] = mask >> cell_bytes;
    self.site = site; // the memory may not be there
    (void)*(uint8_t volatile*)address;
    if (a->second != NULL) (void)*(uint8_t volatile*)last;
    if (!lock_one(a, 0, c, address)) return false;
    if (needs_turn()) { // what is constant has none, and this is known only now
        unlock_cell(c, a->words[0]);
        await_turn_of(what, site, address);
        if (!lock_one(a, 0, c, address)) return false;
    }
    if (a->second != NULL && !lock_one(a, 1, a->second, last)) {
        unlock_cell(c, a->words[0]);
        return false;
    }
    a->before = bytes_at(address, size);
    bool outside =
        a->second == NULL ? is_changed_in_one(a, a->words[0]) : is_changed(c, a->words[0], a->bytes[0], address);
    if (a->second != NULL) outside |= is_changed(a->second, a->words[1], a->bytes[1], last);
    // Nobody sees what a store overwrites: often it is what functions outside have left on the stack, and another run
    // has something else there. But a store to memory that is partly new says what was there.
    if (what == matchpoint_replayed_store && !is_new_to_all(a)) outside = false;
    // Short loads rely on what is known of the memory before the turn, as those of a turn have no order.
    bool const loads = what == matchpoint_replayed_load && !outside && !is_new_to_all(a);
    if (take_turn(&a->words[0], address, loads)) a->flags |= matchpoint_new_turn;
    if (a->second != NULL && take_turn(&a->words[1], last, loads)) a->flags |= matchpoint_new_second_turn;
    a->is_outside = outside;
    if (outside) write_outside(a, place_of(site));
    return true;
}

uint8_t* put_access(uint8_t* at, struct access* a, uint32_t place, uint32_t node, bool stores) {
    if (stores && is_new_to_all(a)) a->flags |= matchpoint_has_old;
    if (node != 0) a->flags |= matchpoint_has_address;
    at = put_u(at, place);
    at = put_u(at, a->flags);
    *at++ = (uint8_t)a->size;
    at = put_u(at, a->address);
    if (node != 0) at = put_u(at, node);
    if ((a->flags & matchpoint_new_turn) != 0) at = put_u(at, turn_of(a->words[0]));
    if ((a->flags & matchpoint_new_second_turn) != 0) at = put_u(at, turn_of(a->words[1]));
    if ((a->flags & matchpoint_has_old) != 0) at = put_s(at, signed_value(a->before, 8 * a->size));
    return at;
}

static uint64_t accessed_by(uint64_t word, unsigned bytes, unsigned grain) {
    word |= (uint64_t)bytes << mask_shift;
    return (word & ~((uint64_t)3 << grain_shift)) | (uint64_t)grain << grain_shift;
}

static void end_one(struct cell* c, uint64_t word, unsigned bytes, uintptr_t address, unsigned grain) {
    uint64_t const accessed = spread(bytes);
    c->value = (c->value & ~accessed) | (value_of_cell(address) & accessed);
    unlock_cell(c, accessed_by(word, bytes, grain));
}

void end_access(struct access* a, uint64_t value) {
    unsigned const grain = (unsigned)__builtin_ctz(a->size);
    if (a->second != NULL) {
        end_one(a->second, a->words[1], a->bytes[1], a->address + a->size - 1, grain);
        end_one(a->first, a->words[0], a->bytes[0], a->address, grain);
        return;
    }
    struct cell* const c = a->first;
    unsigned const shift = 8 * (a->address % cell_bytes);
    uint64_t const accessed = bits_of(a->size) << shift;
    c->value = (c->value & ~accessed) | (value << shift & accessed);
    unlock_cell(c, accessed_by(a->words[0], a->bytes[0], grain));
}

uint64_t touch_cell(uintptr_t cell, uintptr_t begin, uint64_t size, uint8_t const* bytes) {
    struct cell* const c = cell_of(cell);
    if (c == NULL) return 0;
    unsigned mask = 0;
    uint64_t value = 0;
    for (unsigned i = 0; i < cell_bytes; ++i)
        if (cell + i >= begin && cell + i < begin + size) {
            mask |= 1U << i;
            value |= (uint64_t)bytes[cell + i - begin] << 8 * i;
        }
    uint64_t word = lock_cell(c);
    take_turn(&word, cell, false);
    c->value = (c->value & ~spread(mask)) | value;
    unlock_cell(c, word | (uint64_t)mask << mask_shift);
    return turn_of(word);
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

void begin_block(uintptr_t address, size_t size) {
    for (uintptr_t at = address; at < address + size;) {
        uintptr_t const end = (at | (((uintptr_t)1 << part_bits) - 1)) + 1;
        uintptr_t const last = end < address + size ? end : address + size;
        if (at == address || __atomic_load_n(&parts[at >> part_bits], __ATOMIC_ACQUIRE) != NULL)
            for (; at < last; at = (at | 7) + 1) {
                struct cell* const c = cell_of(at);
                uint64_t const word = __atomic_load_n(&c->word, __ATOMIC_RELAXED);
                if (word == 0 && at != address) continue;
                uint64_t const is = (lock_cell(c) & ~((uint64_t)0xff << mask_shift)) | cell_has_store;
                unlock_cell(c, at == address ? is | cell_begins_block : is);
            }
        at = last;
    }
}

bool end_block(uintptr_t address) {
    struct cell* const c = cell_of(address);
    if (c == NULL || (__atomic_load_n(&c->word, __ATOMIC_RELAXED) & cell_begins_block) == 0) return false;
    uint64_t const word = lock_cell(c);
    unlock_cell(c, word & ~(uint64_t)cell_begins_block);
    return (word & cell_begins_block) != 0;
}
