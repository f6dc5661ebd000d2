// Short records, of instructions that do what they did before: an access by the thread that accessed the cell last, of
// bytes that are known, in as many bytes as then. All else is done by the long way, and so is a replay.
//
// Most of them are done by the first half of each function here: the form is one whose record the file has, and the
// record is not longer than seven bytes.
#define _GNU_SOURCE
#include "cells.h"
#include "repetition.h"

#define LIKELY(condition) __builtin_expect((condition), true)

enum { relaxed_or_not = matchpoint_atomic | matchpoint_weak_order, most_of_access = 40, most_of_operand = 16 };

static inline unsigned size_of(struct form const* form) { return form->how & ((1U << size_bits) - 1); }
static inline unsigned flags_of(struct form const* form) { return form->how >> size_bits & ((1U << flag_bits) - 1); }

static inline bool is_replay(void) { return __atomic_load_n(&replay_is_on, __ATOMIC_RELAXED) != 0; }

/// Whether what follows is recorded in short records; if so, the thread is inside until leave_quickly().
static inline bool enter_quickly(void) {
    uint64_t const wanted = (uint64_t)1 << 8 * (offsetof(struct thread, writes) - offsetof(struct thread, inside));
    uint64_t state;
    memcpy(&state, (char const*)&self + offsetof(struct thread, inside), sizeof state);
    if (state != wanted) return false;
    self.inside = 1;
    __asm__ volatile("" ::: "memory");
    return true;
}
/// It has no turn.
static inline void leave_quickly(void) {
    __asm__ volatile("" ::: "memory");
    self.inside = 0;
}

static inline struct last_short* last_of(uint32_t number) { return &self.lasts[number % last_addresses]; }

/// Whether `owner` has the turn of the cell, nobody is at work there, and the access changes nothing of the word.
static inline bool goes_on(uint64_t word, uint64_t owner, unsigned offset, unsigned size) {
    uint64_t const own = owner << owner_shift | (uint64_t)__builtin_ctz(size) << grain_shift;
    uint64_t const looked_at =
        (uint64_t)0x3fff << owner_shift | (uint64_t)3 << grain_shift | cell_is_locked | cell_is_constant;
    uint64_t const bytes = (((uint64_t)1 << size) - 1) << (offset + mask_shift);
    return ((word ^ (own | bytes)) & (looked_at | bytes)) == 0;
}

static inline uint64_t own_number(void) { return (uint64_t)self.number + 1; }

/// The same of a load, in a turn of this thread or of several, of which it has said that it has a part.
static inline bool goes_on_loading(uint64_t word, uintptr_t address, unsigned size) {
    unsigned const offset = address % cell_bytes;
    return goes_on(word, own_number(), offset, size) ||
           (goes_on(word, readers, offset, size) && is_said_turn(address, word));
}

static inline uint8_t* put_address(uint8_t* at, struct form const* form, uintptr_t address) {
    return put_s(at, (int64_t)(address - last_of(form->number)->address));
}

static inline void end_access_of(uint8_t* begin, struct form const* form, uint8_t* end, uintptr_t address,
                                 uint32_t events) {
    *last_of(form->number) = (struct last_short){.form = form->number, .address = address};
    end_short(begin, form, end, events);
}

// ---- loads ----------------------------------------------------------------------------------------------------------

/// The same as load_short() of a form that is known, at an address that is aligned. `size` is a constant where it
/// is called.
static inline __attribute__((always_inline)) bool load_quickly(struct form* form, uintptr_t address, unsigned size,
                                                               bool is_concrete, struct read* r) {
    uint32_t const number = __atomic_load_n(&form->number, __ATOMIC_RELAXED);
    struct last_short* const last = last_of(number);
    unsigned const offset = address % cell_bytes;
    struct cell const* const c = known_cell(address);
    if (last->form != number || number == 0 || (address & (size - 1)) != 0 || c == NULL) return false;
    uint64_t const word = __atomic_load_n(&c->word, __ATOMIC_ACQUIRE);
    if (!goes_on_loading(word, address, size)) return false;
    self.site = form->site;
    uint64_t const value = bytes_at(address, size);
    if ((((c->value >> 8 * offset) ^ value) & bits_of(size)) != 0) return false;
    uint64_t const difference = address - last->address;
    if (__builtin_expect(difference != last->difference || last->size == 0, false)) {
        struct short_record record = short_of(number);
        add_s(&record, (int64_t)difference);
        if (record.size > most_of_number) return false;
        last->difference = difference;
        last->bytes = record.bytes;
        last->size = record.size;
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(&c->word, __ATOMIC_ACQUIRE) != word) return false;
    if (!write_number(last, (struct short_record){last->bytes, last->size})) return false;
    last->address = address;
    self.events += is_concrete ? 2 : 1;
    ++self.nodes;
    *r = (struct read){value, is_concrete ? 0 : self.nodes};
    return true;
}

/// False if it has to go the long way; nothing has happened then.
static bool load_short(struct form* form, uintptr_t address, struct read* r) {
    uint8_t* fields;
    uint8_t* const begin = begin_short(form, most_of_access, &fields);
    if (begin == NULL) return false;
    unsigned const size = size_of(form), offset = address % cell_bytes;
    bool const is_local = (flags_of(form) & matchpoint_is_local) != 0;
    bool const is_concrete = (flags_of(form) & matchpoint_is_concrete) != 0;
    struct cell const* const c = is_local || offset + size > cell_bytes ? NULL : known_cell(address);
    if (c == NULL && !is_local) return false;
    // No lock: if the word is the same before and after, nobody else was at work here.
    uint64_t const word = is_local ? 0 : __atomic_load_n(&c->word, __ATOMIC_ACQUIRE);
    if (!is_local && !goes_on_loading(word, address, size)) return false;
    self.site = form->site;
    uint64_t const value = bytes_at(address, size);
    if (!is_local && (((c->value >> 8 * offset) ^ value) & bits_of(size)) != 0) return false; // written outside
    uint8_t* end = put_address(fields, form, address);
    if (is_local) end = put_s(end, signed_value(value, 8 * size)); // else it is known
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (!is_local && __atomic_load_n(&c->word, __ATOMIC_ACQUIRE) != word) return false;
    end_access_of(begin, form, end, address, is_concrete ? 2 : 1);
    ++self.nodes;
    *r = (struct read){value, is_concrete ? 0 : self.nodes};
    return true;
}

/// The load, and that its value is concrete if the form says so, are two records.
static struct read load_long(struct form* form, void const* address, uint32_t node) {
    uint32_t const concrete = (uint32_t)matchpoint_is_concrete << size_bits;
    if ((form->how & concrete) == 0) return __matchpoint_load(form->site, address, form->how, node);
    uint32_t const how = form->how & ~concrete & ((1U << (size_bits + flag_bits)) - 1);
    struct read const r = __matchpoint_load(form->site, address, how, node);
    uint32_t const reason = form->how >> (size_bits + flag_bits);
    __matchpoint_concrete(form->site, (uint32_t)r.node, r.value, reason | 8 * size_of(form) << 8);
    return (struct read){r.value, 0};
}

static struct read load_otherwise(struct form* form, void const* address, uint32_t node) {
    if (node != 0 || !enter_quickly()) return load_long(form, address, node);
    count_repetitions();
    struct read r;
    bool const is_concrete = (flags_of(form) & matchpoint_is_concrete) != 0;
    bool const is_usual = (flags_of(form) & ~(unsigned)matchpoint_is_concrete) == 0;
    bool const is_done = (is_usual && load_quickly(form, (uintptr_t)address, size_of(form), is_concrete, &r)) ||
                         load_short(form, (uintptr_t)address, &r);
    leave_quickly();
    return is_done ? r : load_long(form, address, node);
}

/// The fast half is apart from the other, and calls nothing, so that it has few registers to save.
#define LOAD(name, size, is_concrete)                                                                                  \
    struct read name(struct form* form, void const* address, uint32_t node) {                                          \
        struct read r;                                                                                                 \
        if (LIKELY(node == 0 && enter_quickly())) {                                                                    \
            bool const is_done = load_quickly(form, (uintptr_t)address, size, is_concrete, &r);                        \
            leave_quickly();                                                                                           \
            if (LIKELY(is_done)) return r;                                                                             \
        }                                                                                                              \
        __attribute__((musttail)) return load_otherwise(form, address, node);                                          \
    }
LOAD(__matchpoint_load1_of, 1, false)
LOAD(__matchpoint_load4_of, 4, false)
LOAD(__matchpoint_load8_of, 8, false)
LOAD(__matchpoint_load8_concrete_of, 8, true)

struct read __matchpoint_load_of(struct form* form, void const* address, uint32_t node) {
    return load_otherwise(form, address, node);
}

// ---- stores ---------------------------------------------------------------------------------------------------------

static inline uint32_t near_of(uint32_t node) { return node == 0 ? 0 : self.nodes + 1 - node; }
static inline uint8_t* put_node(uint8_t* at, uint32_t node) { return put_u(at, near_of(node)); }

/// Locks the cell. False, and nothing is locked, if somebody else was there, or has written outside.
static inline bool lock_known_cell(struct cell* c, uint64_t word, uintptr_t address, unsigned size) {
    if (!__atomic_compare_exchange_n(&c->word, &word, word | cell_is_locked, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return false;
    uint64_t const before = bytes_at(address, size);
    if ((((c->value >> 8 * (address % cell_bytes)) ^ before) & bits_of(size)) == 0) return true;
    unlock_cell(c, word);
    return false;
}

static inline void store_and_unlock(struct cell* c, uint64_t word, uintptr_t address, unsigned size, uint64_t value) {
    unsigned const shift = 8 * (address % cell_bytes);
    uint64_t const accessed = bits_of(size) << shift;
    set_bytes(address, size, value);
    c->value = (c->value & ~accessed) | (value << shift & accessed);
    unlock_cell(c, word | cell_has_store);
}

/// As load_quickly().
static inline __attribute__((always_inline)) bool store_quickly(struct form* form, uintptr_t address, unsigned size,
                                                                uint64_t value, uint32_t value_node) {
    uint32_t const number = __atomic_load_n(&form->number, __ATOMIC_RELAXED);
    struct last_short* const last = last_of(number);
    struct cell* const c = known_cell(address);
    if (last->form != number || number == 0 || (address & (size - 1)) != 0 || c == NULL) return false;
    uint64_t const word = __atomic_load_n(&c->word, __ATOMIC_RELAXED);
    if (!goes_on(word, own_number(), address % cell_bytes, size)) return false;
    struct short_record record = short_of(number);
    add_s(&record, (int64_t)(address - last->address));
    add_u(&record, near_of(value_node));
    add_s(&record, signed_value(value, 8 * size));
    if (record.size > most_of_number) return false;
    self.site = form->site;
    (void)*(uint8_t volatile*)address; // the memory may not be there
    if (!lock_known_cell(c, word, address, size)) return false;
    if (!write_number(last, record)) {
        unlock_cell(c, word);
        return false;
    }
    last->address = address;
    ++self.events;
    store_and_unlock(c, word, address, size, value);
    return true;
}

static bool store_short(struct form* form, uintptr_t address, uint64_t value, uint32_t value_node) {
    uint8_t* fields;
    uint8_t* const begin = begin_short(form, most_of_access, &fields);
    if (begin == NULL) return false;
    unsigned const size = size_of(form), offset = address % cell_bytes;
    bool const is_local = (flags_of(form) & matchpoint_is_local) != 0;
    struct cell* const c = is_local || offset + size > cell_bytes ? NULL : known_cell(address);
    if (c == NULL && !is_local) return false;
    uint64_t const word = is_local ? 0 : __atomic_load_n(&c->word, __ATOMIC_RELAXED);
    if (!is_local && !goes_on(word, own_number(), offset, size)) return false;
    self.site = form->site;
    (void)*(uint8_t volatile*)address; // the memory may not be there
    if (!is_local && !lock_known_cell(c, word, address, size)) return false;
    uint8_t* const end = put_node(put_address(fields, form, address), value_node);
    end_access_of(begin, form, put_s(end, signed_value(value, 8 * size)), address, 1);
    if (is_local) {
        set_bytes(address, size, value);
        return true;
    }
    bool const is_atomic = (flags_of(form) & relaxed_or_not) != 0;
    if (is_atomic) {
        set_bytes(address, size, value);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
    store_and_unlock(c, word, address, size, value);
    return true;
}

static void store_otherwise(struct form* form, void* address, uint32_t node, uint64_t value, uint32_t value_node) {
    if (node == 0 && enter_quickly()) {
        count_repetitions();
        bool const is_done =
            (flags_of(form) == 0 && store_quickly(form, (uintptr_t)address, size_of(form), value, value_node)) ||
            store_short(form, (uintptr_t)address, value, value_node);
        leave_quickly();
        if (is_done) return;
    }
    __matchpoint_store(form->site, address, form->how, node, value, value_node);
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpedantic" // a call in the place of a return, of a function without a result
#define STORE(name, size)                                                                                              \
    void name(struct form* form, void* address, uint32_t node, uint64_t value, uint32_t value_node) {                  \
        if (LIKELY(node == 0 && enter_quickly())) {                                                                    \
            bool const is_done = store_quickly(form, (uintptr_t)address, size, value, value_node);                     \
            leave_quickly();                                                                                           \
            if (LIKELY(is_done)) return;                                                                               \
        }                                                                                                              \
        __attribute__((musttail)) return store_otherwise(form, address, node, value, value_node);                      \
    }
STORE(__matchpoint_store1_of, 1)
STORE(__matchpoint_store4_of, 4)
STORE(__matchpoint_store8_of, 8)
#pragma clang diagnostic pop

void __matchpoint_store_of(struct form* form, void* address, uint32_t node, uint64_t value, uint32_t value_node) {
    store_otherwise(form, address, node, value, value_node);
}

// ---- operations -----------------------------------------------------------------------------------------------------

/// Whether the file has the form, as far as that is known quickly.
static inline bool is_at_hand(struct form const* form) {
    uint32_t const number = __atomic_load_n(&form->number, __ATOMIC_RELAXED);
    return number != 0 && last_of(number)->form == number;
}

/// The next time it is at hand.
static inline void end_operations(uint8_t* begin, struct form const* form, uint8_t* end, uint32_t events) {
    struct last_short* const last = last_of(form->number);
    *last = (struct last_short){.form = form->number, .address = last->address};
    end_short(begin, form, end, events);
}

void __matchpoint_branch_of(struct form* form, uint32_t node, uint32_t taken) {
    uint8_t* begin = NULL;
    if (enter_quickly()) {
        uint64_t const field = (uint64_t)near_of(node) << 1 | taken;
        struct last_short* const last = last_of(form->number);
        struct short_record record = short_of(form->number);
        add_u(&record, field);
        uint8_t* fields;
        if (is_at_hand(form) && record.size <= most_of_number && write_number(last, record)) {
            begin = self.at;
            ++self.events;
        } else if ((begin = begin_short(form, most_of_operand, &fields)) != NULL) {
            end_operations(begin, form, put_u(fields, field), 1);
        }
        leave_quickly();
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

static inline void add_operands(struct short_record* r, struct form const* form, struct argument const* operands) {
    uint32_t const n = form->operands;
    for (uint32_t i = 0; i < n && r->size <= most_of_number; ++i) {
        add_u(r, near_of(operands[i].node));
        if (operands[i].node == 0 && r->size <= most_of_number) add_s(r, (int64_t)operands[i].value);
    }
}

/// Writes the operations if they are a record of up to seven bytes. `takes`: with the way of the branch on the last
/// one. Returns the node of the first one; 0 if they are to be written otherwise.
static inline __attribute__((always_inline)) uint32_t
operate_quickly(struct form* form, struct argument const* operands, bool takes, uint32_t taken) {
    struct last_short* const last = last_of(form->number);
    uint32_t const first = self.nodes + 1;
    if (!is_at_hand(form)) return 0;
    struct short_record record = short_of(form->number);
    if (takes) add_u(&record, taken);
    add_operands(&record, form, operands);
    if (record.size > most_of_number || !write_number(last, record)) return 0;
    self.events += takes ? 1 : 0;
    self.nodes += form->nodes;
    return first;
}

/// Returns 0 if the disk is full.
static __attribute__((noinline)) uint32_t operate_otherwise(struct form* form, struct argument const* operands,
                                                            bool takes, uint32_t taken) {
    count_repetitions();
    uint32_t const first = operate_quickly(form, operands, takes, taken);
    if (first != 0) return first;
    uint8_t* fields;
    uint8_t* const begin = begin_short(form, (form->operands + 1) * most_of_operand, &fields);
    if (begin == NULL) return 0;
    if (takes) fields = put_u(fields, taken);
    end_operations(begin, form, put_operands(fields, form, operands), takes ? 1 : 0);
    self.nodes += form->nodes;
    return self.nodes - form->nodes + 1;
}

static inline __attribute__((always_inline)) uint32_t operate(struct form* form, struct argument const* operands,
                                                              bool takes, uint32_t taken) {
    uint32_t const first = operate_quickly(form, operands, takes, taken);
    return LIKELY(first != 0) ? first : operate_otherwise(form, operands, takes, taken);
}

uint32_t __matchpoint_operations(struct form* form, struct argument const* operands) {
    if (!enter()) return 0;
    uint32_t const first = operate(form, operands, false, 0);
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
    uint32_t const first = operate(together, operands, true, taken);
    leave();
    return first;
}
