// Operations on values that have nodes, the branches that they decide, and what calls pass.
#define _GNU_SOURCE
#include "replay.h"

enum { operation_size = 64, most_cases = 4000 };

__thread struct passed __matchpoint_passed __attribute__((tls_model("initial-exec")));
uint32_t __matchpoint_active;

static unsigned operator_of(uint32_t code) { return code & 0xff; }
static unsigned flags_of(uint32_t code) { return code >> 8 & 0xff; }
static unsigned width_of(uint32_t code) { return code >> 16 & 0xff; }
static unsigned result_width_of(uint32_t code) { return code >> 24; }

static uint8_t* put_operand(uint8_t* at, unsigned width, uint64_t value, uint32_t node) {
    at = put_u(at, node);
    return node != 0 ? at : put_s(at, signed_value(value, width));
}

static uint8_t* put_operator(uint8_t* begin, uint32_t code) {
    begin[1] = (uint8_t)operator_of(code);
    begin[2] = (uint8_t)flags_of(code);
    begin[3] = (uint8_t)width_of(code);
    return begin + 4;
}

uint32_t __matchpoint_binary(uint32_t code, uint64_t a, uint32_t a_node, uint64_t b, uint32_t b_node) {
    if ((a_node | b_node) == 0 || !enter()) return 0;
    uint8_t* const begin = begin_record(operation_size);
    if (begin != NULL) {
        uint8_t* at = put_operand(put_operator(begin, code), width_of(code), a, a_node);
        end_record(begin, matchpoint_operation, put_operand(at, width_of(code), b, b_node));
        ++self.nodes;
    }
    leave();
    return begin == NULL ? 0 : self.nodes;
}

uint32_t __matchpoint_cast(uint32_t code, uint32_t node) {
    if (node == 0 || !enter()) return 0;
    uint8_t* const begin = begin_record(operation_size);
    if (begin != NULL) {
        uint8_t* at = put_operator(begin, code);
        *at++ = (uint8_t)result_width_of(code);
        end_record(begin, matchpoint_operation, put_u(at, node));
        ++self.nodes;
    }
    leave();
    return begin == NULL ? 0 : self.nodes;
}

uint32_t __matchpoint_select(uint32_t code, uint32_t condition, uint64_t a, uint32_t a_node, uint64_t b,
                             uint32_t b_node) {
    if (!enter()) return 0;
    uint8_t* const begin = begin_record(operation_size);
    if (begin != NULL) {
        uint8_t* at = put_u(put_operator(begin, code), condition);
        at = put_operand(at, width_of(code), a, a_node);
        end_record(begin, matchpoint_operation, put_operand(at, width_of(code), b, b_node));
        ++self.nodes;
    }
    leave();
    return begin == NULL ? 0 : self.nodes;
}

/// Not again what was said a short while ago.
static bool is_said(uint32_t node) {
    uint32_t* const last = &self.concretised[node % concretised_nodes];
    if (*last == node) return true;
    *last = node;
    return false;
}

static void write_concrete(struct site* site, uint32_t node, int64_t value, uint32_t reason) {
    if (is_said(node)) return;
    await_turn(matchpoint_replayed_branch, site, 0);
    uint32_t const place = place_of(site);
    uint8_t* const begin = begin_record(operation_size);
    if (begin == NULL) return;
    uint8_t* at = put_u(put_u(begin + 1, place), node);
    at = put_s(at, value);
    end_record(begin, matchpoint_concrete, put_u(at, reason));
}

/// The value is that of the node: a short record does not say it.
void __matchpoint_concrete_of(struct form* form, uint32_t node, uint64_t value) {
    if (node == 0 || !enter()) return;
    uint8_t* fields;
    uint8_t* begin = NULL;
    bool const is_replay = __atomic_load_n(&replay_is_on, __ATOMIC_RELAXED) != 0;
    if (!is_replay && self.concretised[node % concretised_nodes] != node &&
        (begin = begin_short(form, operation_size, &fields)) != NULL) {
        self.concretised[node % concretised_nodes] = node;
        end_short(begin, form, put_u(fields, self.nodes + 1 - node), 1);
    }
    if (is_replay) write_concrete(form->site, node, signed_value(value, form->how >> 8), form->how & 0xff);
    leave();
}

/// `reason` has the width of the value from bit 8.
void __matchpoint_concrete(struct site* site, uint32_t node, uint64_t value, uint32_t reason) {
    if (node == 0 || !enter()) return;
    write_concrete(site, node, signed_value(value, reason >> 8), reason & 0xff);
    leave();
}

void __matchpoint_branch(struct site* site, uint32_t node, uint32_t taken, uint32_t asserts) {
    if (!enter()) return;
    await_turn(matchpoint_replayed_branch, site, 0);
    uint32_t const place = place_of(site);
    uint8_t* const begin = begin_record(operation_size);
    if (begin != NULL) {
        uint8_t* at = put_u(put_u(begin + 1, place), node);
        at = put_u(at, taken);
        end_record(begin, matchpoint_branch, put_u(at, asserts));
    }
    leave();
}

void __matchpoint_switch(struct site* site, uint32_t node, uint64_t value, uint64_t n, int64_t const* cases) {
    if (n > most_cases) {
        __matchpoint_concrete(site, node, value, matchpoint_of_operation | 64 << 8);
        return;
    }
    if (!enter()) return;
    await_turn(matchpoint_replayed_branch, site, 0);
    uint32_t const place = place_of(site);
    uint8_t* const begin = begin_record(max_record);
    if (begin != NULL) {
        uint8_t* at = put_u(put_u(begin + 1, place), node);
        at = put_s(at, (int64_t)value);
        bool is_case = false;
        for (uint64_t i = 0; i < n; ++i) is_case |= cases[i] == (int64_t)value;
        at = put_u(at, is_case ? 0 : n);
        for (uint64_t i = 0; i < n && !is_case; ++i) at = put_s(at, cases[i]);
        end_record(begin, matchpoint_switch, at);
    }
    leave();
}

// ---- calls ----------------------------------------------------------------------------------------------------------

static bool is_compiled(void const* function) {
    if ((uintptr_t)function < 4096) return false;
    uint64_t mark;
    memcpy(&mark, (char const*)function - sizeof mark, sizeof mark);
    return mark == matchpoint_mark;
}

void __matchpoint_arguments(struct site* site, void const* callee, uint32_t n, uint32_t fixed,
                            struct argument const* arguments) {
    if (!enter()) return;
    bool const takes = is_compiled(callee);
    for (uint32_t i = 0; i < n; ++i) {
        bool const is_passed = takes && i < fixed && i < passed_arguments;
        if (is_passed) __matchpoint_passed.arguments[i] = arguments[i].node;
        if (!is_passed && arguments[i].node != 0)
            write_concrete(site, arguments[i].node, signed_value(arguments[i].value, arguments[i].width),
                           matchpoint_of_call);
    }
    __matchpoint_passed.any = takes;
    leave();
}

void __matchpoint_result(struct site* site, uint32_t taken, uint32_t node, uint64_t value) {
    __matchpoint_passed.result = taken != 0 ? node : 0;
    if (taken == 0) __matchpoint_concrete(site, node, value, matchpoint_of_call | 64 << 8);
}

void __matchpoint_gap(struct site* site, char const* function, char const* why) {
    if (!enter()) return;
    gap(site, function, why);
    leave();
}
