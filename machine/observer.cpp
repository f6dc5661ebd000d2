#include "machine/observer.hpp"

#include "base/overloaded.hpp"

namespace matchpoint::machine {

std::optional<Rule> rule_of(Event const& event) {
    using Result = std::optional<Rule>;
    return std::visit(
        overloaded{
            [](event::EntryTaken const&) -> Result { return std::nullopt; },
            [](event::QueueMovement const&) -> Result { return Rule::process_queue_movement; },
            [](event::VariableLookup const&) -> Result { return Rule::variable_lookup; },
            [](event::LeftOperand const&) -> Result { return Rule::left_operand; },
            [](event::RightOperand const&) -> Result { return Rule::right_operand; },
            [](event::BinaryOperation const&) -> Result { return Rule::binary_operation; },
            [](event::NotOperand const&) -> Result { return Rule::not_operand; },
            [](event::NotOperation const&) -> Result { return Rule::not_operation; },
            [](event::IteCondition const&) -> Result { return Rule::ite_condition; },
            [](event::IteOperand const&) -> Result { return Rule::ite_operand; },
            [](event::AssumeExpressionsEvaluation const&) -> Result { return Rule::assume_expressions_evaluation; },
            [](event::AssumeCommand const&) -> Result { return Rule::assume_command; },
            [](event::AssertExpressionsEvaluation const&) -> Result { return Rule::assert_expressions_evaluation; },
            [](event::AssertCommand const&) -> Result { return Rule::assert_command; },
            [](event::AssignExpressionsEvaluation const&) -> Result { return Rule::assign_expressions_evaluation; },
            [](event::AssignCommand const&) -> Result { return Rule::assign_command; },
            [](event::SndiExpressionEvaluation const&) -> Result { return Rule::sndi_expression_evaluation; },
            [](event::SndiCommand const& e) -> Result { return e.is_ready ? Rule::rsndi_command : Rule::sndi_command; },
            [](event::RcviCommand const&) -> Result { return Rule::rcvi_command; },
            [](event::WaitSndiCommand const&) -> Result { return Rule::wait_sndi_command; },
            [](event::WaitRcviCommand const&) -> Result { return Rule::wait_rcvi_command; },
            [](event::BarrierCommand const&) -> Result { return Rule::barrier_command; },
            [](event::CollectiveStep const& e) -> Result { return e.rule; },
            [](event::GuardEvaluation const&) -> Result { return Rule::guard_evaluation; },
            [](event::RightHandSideEvaluation const&) -> Result { return Rule::right_hand_side_evaluation; },
            [](event::GuardedAssignment const& e) -> Result {
                return e.blocks ? Rule::when_command : Rule::guarded_assignment_command;
            },
            [](event::ProbeCommand const& e) -> Result {
                return e.matches ? Rule::mprobe_command : Rule::probe_command;
            },
            [](event::StartCommand const&) -> Result { return Rule::start_command; },
            [](event::MachineStep const&) -> Result { return Rule::machine_step; },
            [](event::MovementsTakenBack const&) -> Result { return std::nullopt; },
            [](event::StuckAt const& e) -> Result { return e.stuck.rule; },
        },
        event);
}

} // namespace matchpoint::machine
