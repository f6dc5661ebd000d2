// Short records, of instructions that do what they did before: an access by the thread that accessed the cell last, of
// bytes that are known, in as many bytes as then. All else is done by the long way, and so is a replay.
#define _GNU_SOURCE
#include "cells.h"

enum { relaxed_or_not = matchpoint_atomic | matchpoint_weak_order, most_of_access = 40, most_of_operand = 16 };

static unsigned size_of(struct form const* form) { return form->how & ((1U << size_bits) - 1); }
static unsigned flags_of(struct form const* form) { return form->how >> size_bits & ((1U << flag_bits) - 1); }

static bool is_replay(void) { return __atomic_load_n(&replay_is_on, __ATOMIC_RELAXED) != 0; }

/// Whether this thread has the turn of the cell, nobody is at work there, and the access changes nothing of the word.
static inline bool goes_on(uint64_t word, unsigned offset, unsigned size) {
    uint64_t const own = (uint64_t)(self.number + 1) << owner_shift | (uint64_t)__builtin_ctz(size) << grain_shift;
    uint64_t const looked_at =
        (uint64_t)0x3fff << owner_shift | (uint64_t)3 << grain_shift | cell_is_locked | cell_is_constant;
    uint64_t const bytes = (((uint64_t)1 << size) - 1) << (offset + mask_shift);
    return ((word ^ own) & looked_at) == 0 && (bytes & ~word) == 0;
}

static inline uint8_t* put_address(uint8_t* at, struct form const* form, uintptr_t address) {
    return put_s(at, (int64_t)(address - self.addresses[form->number % last_addresses]));
}

static inline void end_access_of(uint8_t* begin, struct form const* form, uint8_t* end, uintptr_t address) {
    self.addresses[form->number % last_addresses] = address;
    end_short(begin, form, end, 1);
}

/// False if it has to go the long way; nothing has happened then.
static inline bool load_short(struct form* form, uintptr_t address, struct read* r) {
    uint8_t* fields;
    uint8_t* const begin = is_replay() ? NULL : begin_short(form, most_of_access, &fields);
    if (begin == NULL) return false;
    unsigned const size = size_of(form), offset = address % cell_bytes;
    bool const is_local = (flags_of(form) & matchpoint_is_local) != 0;
    struct cell const* const c = is_local || offset + size > cell_bytes ? NULL : known_cell(address);
    if (c == NULL && !is_local) return false;
    // No lock: if the word is the same before and after, nobody else was at work here.
    uint64_t const word = is_local ? 0 : __atomic_load_n(&c->word, __ATOMIC_ACQUIRE);
    if (!is_local && !goes_on(word, offset, size)) return false;
    self.site = form->site;
    uint64_t const value = bytes_at(address, size);
    if (!is_local && (((c->value >> 8 * offset) ^ value) & bits_of(size)) != 0) return false; // written outside
    uint8_t* end = put_address(fields, form, address);
    if (is_local) end = put_s(end, signed_value(value, 8 * size)); // else it is known
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (!is_local && __atomic_load_n(&c->word, __ATOMIC_ACQUIRE) != word) return false;
    end_access_of(begin, form, end, address);
    *r = (struct read){value, ++self.nodes};
    return true;
}

struct read __matchpoint_load_of(struct form* form, void const* address, uint32_t node) {
    if (node == 0 && enter()) {
        struct read r;
        bool const is_done = load_short(form, (uintptr_t)address, &r);
        leave();
        if (is_done) return r;
    }
    return __matchpoint_load(form->site, address, form->how, node);
}

static inline uint8_t* put_node(uint8_t* at, uint32_t node) { return put_u(at, node == 0 ? 0 : self.nodes + 1 - node); }

static inline bool store_short(struct form* form, uintptr_t address, uint64_t value, uint32_t value_node) {
    uint8_t* fields;
    uint8_t* const begin = is_replay() ? NULL : begin_short(form, most_of_access, &fields);
    if (begin == NULL) return false;
    unsigned const size = size_of(form), offset = address % cell_bytes;
    bool const is_local = (flags_of(form) & matchpoint_is_local) != 0;
    struct cell* const c = is_local || offset + size > cell_bytes ? NULL : known_cell(address);
    if (c == NULL && !is_local) return false;
    uint64_t word = is_local ? 0 : __atomic_load_n(&c->word, __ATOMIC_RELAXED);
    if (!is_local && !goes_on(word, offset, size)) return false;
    self.site = form->site;
    uint64_t before = bytes_at(address, size); // the memory may not be there
    if (!is_local) {
        if (!__atomic_compare_exchange_n(&c->word, &word, word | cell_is_locked, false, __ATOMIC_ACQUIRE,
                                         __ATOMIC_RELAXED))
            return false;
        before = bytes_at(address, size);
        if ((((c->value >> 8 * offset) ^ before) & bits_of(size)) != 0) { // written outside
            unlock_cell(c, word);
            return false;
        }
    }
    uint8_t* const end = put_node(put_address(fields, form, address), value_node);
    end_access_of(begin, form, put_s(end, signed_value(value, 8 * size)), address);
    set_bytes(address, size, value);
    if (is_local) return true;
    if ((flags_of(form) & relaxed_or_not) != 0) __atomic_thread_fence(__ATOMIC_SEQ_CST);
    uint64_t const accessed = bits_of(size) << 8 * offset;
    c->value = (c->value & ~accessed) | (value << 8 * offset & accessed);
    unlock_cell(c, word);
    return true;
}

void __matchpoint_store_of(struct form* form, void* address, uint32_t node, uint64_t value, uint32_t value_node) {
    if (node == 0 && enter()) {
        bool const is_done = store_short(form, (uintptr_t)address, value, value_node);
        leave();
        if (is_done) return;
    }
    __matchpoint_store(form->site, address, form->how, node, value, value_node);
}

void __matchpoint_branch_of(struct form* form, uint32_t node, uint32_t taken) {
    uint8_t* begin = NULL;
    if (enter()) {
        uint8_t* fields;
        begin = is_replay() ? NULL : begin_short(form, most_of_operand, &fields);
        if (begin != NULL) end_short(begin, form, put_u(fields, (uint64_t)(self.nodes + 1 - node) << 1 | taken), 1);
        leave();
    }
    if (begin == NULL) __matchpoint_branch(form->site, node, taken, form->how);
}

static inline uint8_t* put_operands(uint8_t* at, struct form const* form, struct argument const* operands) {
    for (uint32_t i = 0; i < form->operands; ++i) {
        at = put_node(at, operands[i].node);
        if (operands[i].node == 0) at = put_s(at, (int64_t)operands[i].value);
    }
    return at;
}

uint32_t __matchpoint_operations(struct form* form, struct argument const* operands) {
    if (!enter()) return 0;
    uint8_t* fields;
    uint8_t* const begin = begin_short(form, form->operands * most_of_operand, &fields);
    uint32_t const first = begin == NULL ? 0 : self.nodes + 1;
    if (begin != NULL) {
        end_short(begin, form, put_operands(fields, form, operands), 0);
        self.nodes += form->nodes;
    }
    leave();
    return first;
}

uint32_t __matchpoint_operations_and_branch(struct form* operations, struct form* together,
                                            struct argument const* operands, uint32_t taken) {
    if (is_replay()) {
        uint32_t const first = __matchpoint_operations(operations, operands);
        if (first != 0) __matchpoint_branch(together->site, first + operations->nodes - 1, taken, together->how);
        return first;
    }
    if (!enter()) return 0;
    uint8_t* fields;
    uint8_t* const begin = begin_short(together, (together->operands + 1) * most_of_operand, &fields);
    uint32_t const first = begin == NULL ? 0 : self.nodes + 1;
    if (begin != NULL) {
        end_short(begin, together, put_operands(put_u(fields, taken), together, operands), 1);
        self.nodes += together->nodes;
    }
    leave();
    return first;
}
