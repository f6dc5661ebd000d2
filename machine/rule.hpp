// The reduction rules under the names of the paper. Logs, errors, docs and tests take the names from this list.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::machine {

enum class Rule : std::uint8_t {
    // Figure 6
    machine_step,
    // Figure 7
    process_queue_movement,
    // Figure 8
    variable_lookup,
    left_operand,
    right_operand,
    binary_operation,
    assume_expressions_evaluation,
    assume_command,
    assert_expressions_evaluation,
    assert_command,
    assign_expressions_evaluation,
    assign_command,
    sndi_command,
    rcvi_command,
    wait_sndi_command,
    wait_rcvi_command,
    // Beside Figure 8, for what the language has and the figure lacks
    not_operand,
    not_operation,
    ite_condition,
    ite_operand,
    sndi_expression_evaluation, // errata E2
    barrier_command,
    rsndi_command,
    probe_command,
    mprobe_command,
    start_command,
    collective_command,
    icollective_command,
    wait_icollective_command,
    // Of shared memory (docs/shared_memory.md)
    guard_evaluation,
    right_hand_side_evaluation,
    guarded_assignment_command,
    when_command,
};

inline constexpr std::size_t rule_count = 33;

struct RuleInfo {
    std::string_view name;     // the paper's small capitals: "WAIT (RCVI) COMMAND"
    std::string_view function; // the function that implements it
    std::string_view source;   // "Figure 8", or why it is here
};

RuleInfo const& info(Rule rule);
inline std::string_view to_string(Rule rule) { return info(rule).name; }

/// All rules, in the order of the figures.
constexpr std::array<Rule, rule_count> all_rules() {
    std::array<Rule, rule_count> rules{};
    for (std::size_t i = 0; i < rule_count; ++i) rules[i] = static_cast<Rule>(i);
    return rules;
}

} // namespace matchpoint::machine
