// Figure 8, the expression reductions ->e: one function per rule, in the figure's order.
//
// The control string e of an estate is a command, a node of an expression, or a value; the continuation k is a stack:
//
//   k ::= ret                        the empty stack
//       | (assert * -> k) | (assume * -> k) | (x := * -> k)
//       | (op * e -> k) | (op v * -> k)
//       | (not * -> k)               beside Figure 5(b): the language has `not`
//       | (ite * e e -> k)           beside Figure 5(b): and `ite`
//       | (sndi a alpha beta * -> k) beside Figure 5(b), errata E2
//       | (assume * (x := e) ... -> k) | (when * (x := e) ... -> k)
//       | (assume v_g (x := v) ... (x := *) (x := e) ... -> k) and the same with `when`: docs/shared_memory.md. Here
//                                    it is a frame for the guard's value and one for each value that is known
#pragma once

#include <vector>

#include "machine/observer.hpp"

namespace matchpoint::machine {

struct Frame {
    enum class Kind : std::uint8_t { assert_, assume, assign, op_left, op_right, not_, ite, sndi, guard, assigned };
    Kind kind;
    std::uint32_t node = 0; // op_left, op_right, not_, ite: the operation; assigned: an index into Ctp::assignments
    Value v; // op_right: the left operand's value; assigned: the value in front of this one, at first the guard's
};

/// estate ::= (h eta A Pnd_s Pnd_r Q_s e s k); all but e and k are the machine state's.
struct Estate {
    enum class Control : std::uint8_t { command, expression, value };

    State& state;
    IndexedProgram const& code;
    Buffering buffering;
    Observers const& observers;
    Command const& command; // c_0

    // e
    Control control = Control::command;
    std::uint32_t node = 0; // the expression's root
    Value v;
    // k
    std::vector<Frame>& k;
    std::vector<event::Completion>& completions; // room for the event of WAIT (RCVI)
    Location rho = {};                           // of the command
    Channel peek = {};                           // of the entry; none if it has none

    void focus(std::uint32_t root) {
        control = Control::expression;
        node = root;
    }
    void yield(Value value) {
        control = Control::value;
        v = std::move(value);
    }
};

Step variable_lookup(Estate& e, Variable x);
Step left_operand(Estate& e);
Step right_operand(Estate& e);
Step binary_operation(Estate& e);
Step not_operand(Estate& e);
Step not_operation(Estate& e);
Step ite_condition(Estate& e);
Step ite_operand(Estate& e);
Step assume_expressions_evaluation(Estate& e, Assume const& c);
Step assume_command(Estate& e, Assume const& c);
Step assert_expressions_evaluation(Estate& e, Assert const& c);
Step assert_command(Estate& e, Assert const& c);
Step assign_expressions_evaluation(Estate& e, Assign const& c);
Step assign_command(Estate& e, Assign const& c);
Step sndi_expression_evaluation(Estate& e, Sndi const& c);
Step sndi_command(Estate& e, Sndi const& c);
Step rsndi_command(Estate& e, Sndi const& c);
Step rcvi_command(Estate& e, Rcvi const& c);
Step wait_sndi_command(Estate& e, Wait const& c);
Step wait_rcvi_command(Estate& e, Rcvi const& receive);
Step barrier_command(Estate& e, Meet const& c);
Step probe_command(Estate& e, Probe const& c);
Step mprobe_command(Estate& e, Probe const& c);
Step start_command(Estate& e, Start const& c);
Step collective_command(Estate& e, Collective const& c);
Step icollective_command(Estate& e, Collective const& c);
Step wait_icollective_command(Estate& e, Collective const& awaited);
Step guard_evaluation(Estate& e, Guarded const& c);
Step right_hand_side_evaluation(Estate& e, std::uint32_t assignment);
Step guarded_assignment_command(Estate& e, Guarded const& c);
Step when_command(Estate& e, Guarded const& c);

/// ->e, once: the rule that the control string and the continuation ask for. Not of a value with `ret`.
Step reduce(Estate& e);

/// ->e*: until the control string is a value and k is `ret`, or no rule applies.
Step reduce_to_value(Estate& e);

} // namespace matchpoint::machine
