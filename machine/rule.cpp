#include "machine/rule.hpp"

#include <algorithm>

namespace matchpoint::machine {

namespace {

constexpr std::string_view beside = "beside Figure 8";

// In the order of the enumeration.
constexpr std::array<RuleInfo, rule_count> rows{{
    {"MACHINE STEP", "machine_step", "Figure 6"},
    {"PROCESS QUEUE MOVEMENT", "process_queue_movement", "Figure 7"},
    {"VARIABLE LOOKUP", "variable_lookup", "Figure 8"},
    {"LEFT OPERAND", "left_operand", "Figure 8"},
    {"RIGHT OPERAND", "right_operand", "Figure 8"},
    {"BINARY OPERATION", "binary_operation", "Figure 8"},
    {"ASSUME EXPRESSIONS EVALUATION", "assume_expressions_evaluation", "Figure 8"},
    {"ASSUME COMMAND", "assume_command", "Figure 8"},
    {"ASSERT EXPRESSIONS EVALUATION", "assert_expressions_evaluation", "Figure 8"},
    {"ASSERT COMMAND", "assert_command", "Figure 8"},
    {"ASSIGN EXPRESSIONS EVALUATION", "assign_expressions_evaluation", "Figure 8"},
    {"ASSIGN COMMAND", "assign_command", "Figure 8"},
    {"SNDI COMMAND", "sndi_command", "Figure 8"},
    {"RCVI COMMAND", "rcvi_command", "Figure 8"},
    {"WAIT (SNDI) COMMAND", "wait_sndi_command", "Figure 8"},
    {"WAIT (RCVI) COMMAND", "wait_rcvi_command", "Figure 8"},
    {"NOT OPERAND", "not_operand", beside},
    {"NOT OPERATION", "not_operation", beside},
    {"ITE CONDITION", "ite_condition", beside},
    {"ITE OPERAND", "ite_operand", beside},
    {"SNDI EXPRESSION EVALUATION", "sndi_expression_evaluation", beside},
    {"BARRIER COMMAND", "barrier_command", beside},
    {"RSNDI COMMAND", "rsndi_command", beside},
    {"PROBE COMMAND", "probe_command", beside},
    {"MPROBE COMMAND", "mprobe_command", beside},
    {"START COMMAND", "start_command", beside},
    {"COLLECTIVE COMMAND", "collective_command", beside},
    {"ICOLLECTIVE COMMAND", "icollective_command", beside},
    {"WAIT (ICOLLECTIVE) COMMAND", "wait_icollective_command", beside},
    {"GUARD EVALUATION", "guard_evaluation", beside},
    {"RIGHT-HAND SIDE EVALUATION", "right_hand_side_evaluation", beside},
    {"GUARDED ASSIGNMENT", "guarded_assignment_command", beside},
    {"WHEN", "when_command", beside},
}};

static_assert(std::none_of(rows.begin(), rows.end(), [](RuleInfo const& r) { return r.name.empty(); }),
              "every rule has its row");

} // namespace

RuleInfo const& info(Rule rule) { return rows[static_cast<std::size_t>(rule)]; }

} // namespace matchpoint::machine
