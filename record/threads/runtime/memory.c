// Loads, stores, and what is both. Each is done while its cells are locked, so that turns are the order in which
// it happened. A store is written before it is done: what others have read is in the file of a program that was
// killed.
#define _GNU_SOURCE
#include "cells.h"

enum { access_size = 64, relaxed_or_not = matchpoint_atomic | matchpoint_weak_order };

static unsigned size_in(uint32_t how) { return how & ((1U << size_bits) - 1); }
static unsigned flags_in(uint32_t how) { return how >> size_bits & ((1U << flag_bits) - 1); }

/// Of memory that only this thread knows: no cells.
static uint8_t* put_local(uint8_t* at, uint32_t place, unsigned flags, unsigned size, uintptr_t address,
                          uint32_t node) {
    at = put_u(at, place);
    at = put_u(at, flags | (node != 0 ? matchpoint_has_address : 0));
    *at++ = (uint8_t)size;
    at = put_u(at, address);
    return node != 0 ? put_u(at, node) : at;
}

static struct read concrete_load(void const* address, unsigned size) {
    return (struct read){bytes_at((uintptr_t)address, size), 0};
}

static struct read load_local(struct site* site, void const* address, uint32_t how, uint32_t node) {
    unsigned const size = size_in(how);
    self.site = site;
    uint64_t const value = bytes_at((uintptr_t)address, size);
    uint32_t const place = place_of(site);
    uint8_t* const begin = begin_record(access_size);
    if (begin == NULL) return (struct read){value, 0};
    uint8_t* const at = put_local(begin + 1, place, flags_in(how), size, (uintptr_t)address, node);
    end_record(begin, matchpoint_load, put_s(at, signed_value(value, 8 * size)));
    return (struct read){value, ++self.nodes};
}

static struct read load_shared(struct site* site, void const* address, uint32_t how, uint32_t node) {
    unsigned const size = size_in(how);
    struct access a;
    if (!begin_access(&a, matchpoint_replayed_load, site, (uintptr_t)address, size))
        return concrete_load(address, size);
    a.flags |= flags_in(how);
    uint64_t const value = a.before;
    uint32_t const place = place_of(site);
    uint8_t* const begin = begin_record(access_size);
    if (begin != NULL) {
        uint8_t* const at = put_access(begin + 1, &a, place, node, false);
        end_record(begin, matchpoint_load, put_s(at, signed_value(value, 8 * size)));
    }
    end_access(&a, value);
    return (struct read){value, begin == NULL ? 0 : ++self.nodes};
}

struct read __matchpoint_load(struct site* site, void const* address, uint32_t how, uint32_t node) {
    if (!enter()) {
        if ((flags_in(how) & relaxed_or_not) != 0) __atomic_thread_fence(__ATOMIC_SEQ_CST);
        struct read const plain = concrete_load(address, size_in(how));
        if ((flags_in(how) & relaxed_or_not) != 0) __atomic_thread_fence(__ATOMIC_SEQ_CST);
        return plain;
    }
    bool const is_local = (flags_in(how) & matchpoint_is_local) != 0;
    struct read const r = is_local ? load_local(site, address, how, node) : load_shared(site, address, how, node);
    leave();
    return r;
}

static void write_store(struct site* site, struct access* a, uint32_t node, uint64_t value, uint32_t value_node) {
    uint32_t const place = place_of(site);
    uint8_t* const begin = begin_record(access_size);
    if (begin == NULL) return;
    uint8_t* at = put_access(begin + 1, a, place, node, true);
    at = put_u(at, value_node);
    end_record(begin, matchpoint_store, put_s(at, signed_value(value, 8 * a->size)));
}

static void store_local(struct site* site, void* address, uint32_t how, uint32_t node, uint64_t value,
                        uint32_t value_node) {
    unsigned const size = size_in(how);
    uint32_t const place = place_of(site);
    uint8_t* const begin = begin_record(access_size);
    if (begin != NULL) {
        uint8_t* at = put_local(begin + 1, place, flags_in(how), size, (uintptr_t)address, node);
        at = put_u(at, value_node);
        end_record(begin, matchpoint_store, put_s(at, signed_value(value, 8 * size)));
    }
    self.site = site;
    set_bytes((uintptr_t)address, size, value);
}

static void store_shared(struct site* site, void* address, uint32_t how, uint32_t node, uint64_t value,
                         uint32_t value_node) {
    unsigned const size = size_in(how);
    struct access a;
    if (!begin_access(&a, matchpoint_replayed_store, site, (uintptr_t)address, size)) {
        self.site = site;
        set_bytes((uintptr_t)address, size, value);
        return;
    }
    a.flags |= flags_in(how);
    write_store(site, &a, node, value, value_node);
    set_bytes(a.address, size, value);
    if ((a.flags & relaxed_or_not) != 0) __atomic_thread_fence(__ATOMIC_SEQ_CST);
    end_access(&a, value);
}

void __matchpoint_store(struct site* site, void* address, uint32_t how, uint32_t node, uint64_t value,
                        uint32_t value_node) {
    if (!enter()) {
        if ((flags_in(how) & relaxed_or_not) != 0) __atomic_thread_fence(__ATOMIC_SEQ_CST);
        set_bytes((uintptr_t)address, size_in(how), value);
        if ((flags_in(how) & relaxed_or_not) != 0) __atomic_thread_fence(__ATOMIC_SEQ_CST);
        return;
    }
    if ((flags_in(how) & matchpoint_is_local) != 0)
        store_local(site, address, how, node, value, value_node);
    else
        store_shared(site, address, how, node, value, value_node);
    leave();
}

// ---- read-modify-write ----------------------------------------------------------------------------------------------

static uint64_t updated(enum matchpoint_update op, uint64_t old, uint64_t x, unsigned size) {
    int64_t const signed_old = signed_value(old, 8 * size), signed_x = signed_value(x, 8 * size);
    uint64_t const mask = size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * size) - 1;
    switch (op) {
    case matchpoint_exchanged: return x;
    case matchpoint_added: return old + x;
    case matchpoint_subtracted: return old - x;
    case matchpoint_anded: return old & x;
    case matchpoint_ored: return old | x;
    case matchpoint_xored: return old ^ x;
    case matchpoint_nanded: return ~(old & x);
    case matchpoint_signed_max: return signed_old > signed_x ? old : x;
    case matchpoint_signed_min: return signed_old < signed_x ? old : x;
    case matchpoint_unsigned_max: return (old & mask) > (x & mask) ? old : x;
    case matchpoint_unsigned_min: return (old & mask) < (x & mask) ? old : x;
    }
    return old;
}

/// Stores it if the old value is still there. Code that is not compiled with the pass may be at work there, too.
static bool replace(uintptr_t address, unsigned size, uint64_t old, uint64_t value) {
    uint8_t old1 = (uint8_t)old;
    uint16_t old2 = (uint16_t)old;
    uint32_t old4 = (uint32_t)old;
    switch (size) {
    case 1: return __atomic_compare_exchange_n((uint8_t*)address, &old1, (uint8_t)value, 0, 5, 5);
    case 2: return __atomic_compare_exchange_n((uint16_t*)address, &old2, (uint16_t)value, 0, 5, 5);
    case 4: return __atomic_compare_exchange_n((uint32_t*)address, &old4, (uint32_t)value, 0, 5, 5);
    }
    return __atomic_compare_exchange_n((uint64_t*)address, &old, value, 0, 5, 5);
}

static uint64_t update_now(uintptr_t address, uint32_t how, uint64_t operand) {
    unsigned const size = size_in(how);
    uint64_t old = bytes_at(address, size);
    while (!replace(address, size, old, updated(how >> (size_bits + flag_bits), old, operand, size)))
        old = bytes_at(address, size);
    return old;
}

struct read __matchpoint_update(struct site* site, void* address, uint32_t how, uint32_t node, uint64_t operand,
                                uint32_t operand_node) {
    unsigned const bits = 8 * size_in(how);
    struct access a;
    bool const is_inside = enter();
    if (!is_inside || !begin_access(&a, matchpoint_replayed_update, site, (uintptr_t)address, size_in(how))) {
        if (is_inside) leave();
        return (struct read){update_now((uintptr_t)address, how, operand), 0};
    }
    a.flags |= flags_in(how);
    uint32_t const place = place_of(site);
    uint8_t* const begin = begin_record(2 * access_size);
    uint8_t* at = begin == NULL ? NULL : put_access(begin + 1, &a, place, node, true);
    uint64_t const old = update_now(a.address, how, operand);
    if (begin != NULL) {
        at = put_u(at, how >> (size_bits + flag_bits));
        at = put_s(put_u(at, operand_node), signed_value(operand, bits));
        end_record(begin, matchpoint_update_record, put_s(at, signed_value(old, bits)));
    }
    end_access(&a, updated(how >> (size_bits + flag_bits), old, operand, a.size));
    leave();
    return (struct read){old, begin == NULL ? 0 : ++self.nodes};
}

static uint64_t exchange_now(uintptr_t address, unsigned size, uint64_t expected, uint64_t wanted) {
    while (true) {
        uint64_t const old = bytes_at(address, size);
        bool const agrees = signed_value(old ^ expected, 8 * size) == 0;
        if (replace(address, size, old, agrees ? wanted : old)) return old;
    }
}

struct read __matchpoint_exchange(struct site* site, void* address, uint32_t how, uint32_t node, uint64_t expected,
                                  uint32_t expected_node, uint64_t wanted, uint32_t wanted_node) {
    unsigned const size = size_in(how), bits = 8 * size;
    struct access a;
    bool const is_inside = enter();
    if (!is_inside || !begin_access(&a, matchpoint_replayed_update, site, (uintptr_t)address, size)) {
        if (is_inside) leave();
        return (struct read){exchange_now((uintptr_t)address, size, expected, wanted), 0};
    }
    a.flags |= flags_in(how);
    uint32_t const place = place_of(site);
    uint8_t* const begin = begin_record(2 * access_size);
    uint8_t* at = begin == NULL ? NULL : put_access(begin + 1, &a, place, node, true);
    uint64_t const old = exchange_now(a.address, size, expected, wanted);
    if (begin != NULL) {
        at = put_s(put_u(at, expected_node), signed_value(expected, bits));
        at = put_s(put_u(at, wanted_node), signed_value(wanted, bits));
        at = put_s(at, signed_value(old, bits));
        end_record(begin, matchpoint_exchange, put_u(at, signed_value(old ^ expected, bits) == 0));
    }
    end_access(&a, signed_value(old ^ expected, bits) == 0 ? wanted : old);
    leave();
    return (struct read){old, begin == NULL ? 0 : ++self.nodes};
}
