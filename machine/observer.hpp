// Events: each rule fires one, with what it read and changed. The REPL, the diagram, the SMT machine, the history and
// the narrator are observers; the rules know none of them.
//
// Order. An entry (rho m) of a trace fires EntryTaken, a QueueMovement for each movement, the events of its command's
// reduction, and MachineStep. If a rule in it is stuck, MovementsTakenBack (if there were movements) and StuckAt
// replace the rest; the state is then the one before the entry, except that s = error. If an exception ends the entry
// (LimitReached), MovementsTakenBack is the last event. A delivery that is applied by itself (transition.hpp) fires
// QueueMovement alone.
//
// An event is fired after its change: the State is the one after the rule.
#pragma once

#include <optional>
#include <span>

#include <boost/container/small_vector.hpp>

#include "base/overloaded.hpp"
#include "machine/reason.hpp"
#include "machine/state.hpp"

namespace matchpoint::machine {

namespace event {

/// MACHINE STEP's premise: rho_0 is the next command of a thread.
struct EntryTaken {
    std::uint64_t entry; // of the trace, from 0
    Location rho;
    std::uint32_t thread;
};
/// PROCESS QUEUE MOVEMENT: [a_s v] went from Pnd_s(beta)(alpha) to Q_s(beta).
struct QueueMovement {
    Channel channel;
    Action a_s;
    Value v;
};
/// VARIABLE LOOKUP: h(eta(x)) = v.
struct VariableLookup {
    Variable x;
    Value v;
};
/// LEFT OPERAND: (op e_0 e) waits in k for its left operand. `node` is the operation's index in Ctp::nodes.
struct LeftOperand {
    std::uint32_t node;
};
/// RIGHT OPERAND: (op v_l *) waits in k for its right operand.
struct RightOperand {
    std::uint32_t node;
    Value v_l;
};
/// BINARY OPERATION: op(v_l, v_r) = v.
struct BinaryOperation {
    std::uint32_t node;
    Value v_l;
    Value v_r;
    Value v;
};
/// NOT OPERAND and NOT OPERATION.
struct NotOperand {
    std::uint32_t node;
};
struct NotOperation {
    std::uint32_t node;
    Value operand;
    Value v;
};
/// ITE CONDITION and ITE OPERAND: the condition is v, and operand k is evaluated next, 1 or 2.
struct IteCondition {
    std::uint32_t node;
};
struct IteOperand {
    std::uint32_t node;
    Value v;
    std::size_t k;
};
/// Events of an expression that is evaluated: only e and k change.
template <typename E>
concept InsideExpression = OneOf<E, VariableLookup, LeftOperand, RightOperand, BinaryOperation, NotOperand,
                                 NotOperation, IteCondition, IteOperand>;
struct AssumeExpressionsEvaluation {
    Expression e;
};
struct AssumeCommand {
    Expression e;
    Value v;
    Status before;
    Status after;
};
struct AssertExpressionsEvaluation {
    Expression e;
};
struct AssertCommand {
    Expression e;
    Value v;
    Status before;
    Status after;
};
struct AssignExpressionsEvaluation {
    Variable x;
    Expression e;
};
struct AssignCommand {
    Variable x;
    Expression e;
    Value before; // bot: x had no value
    Value v;
};
/// SNDI EXPRESSION EVALUATION (errata E2).
struct SndiExpressionEvaluation {
    Action a;
    Expression e;
};
struct SndiCommand {
    Action a;
    Channel channel;
    Expression e;
    Value v;
    bool is_ready;
};
struct RcviCommand {
    Action a;
    Endpoint beta;
    Variable x;
};
struct WaitSndiCommand {
    Action a_s;
};
/// What `(source y)` or `(tagged z)` assigns.
struct Selected {
    Variable y;
    Value before; // bot: none
    Value v;
};
/// A receive that a wait completes: its variable gets the value of its partner.
struct Completion {
    Action a_r;
    Action a_s;
    Variable x;
    Value before; // of x; bot: none
    Value v;
    std::vector<Selected> selected; // then these get theirs, in this order
};
/// WAIT (RCVI): getMarkRemove completed these, in the order of their places (a_r last, unless it was marked already),
/// and removed a_r and its partner.
struct WaitRcviCommand {
    Action a_r;
    Action a_s;
    Endpoint beta;
    std::span<Completion const> completions; // valid during the call
};
/// BARRIER: every thread that has b is at its occurrence, or past it.
struct BarrierCommand {
    Barrier b;
};
/// PROBE or MPROBE: `a` saw the oldest message of a lane; an mprobe matched it, so that it went to Q_s(beta).
struct ProbeCommand {
    Action a;
    Endpoint beta;
    Channel lane;
    Action a_s;
    Value v;
    bool matches;                   // MPROBE
    std::vector<Selected> selected; // these got values, in this order
};
/// START: the receive of an mprobe started.
struct StartCommand {
    Action a;
    Endpoint beta;
    Variable x;
    Action a_s;
};
/// COLLECTIVE, ICOLLECTIVE or WAIT (ICOLLECTIVE): no call of another thread disagrees, and the needs are met.
struct CollectiveStep {
    Rule rule;
    Action a;
};
/// GUARD EVALUATION, of a guarded assignment.
struct GuardEvaluation {
    Expression guard;
    bool blocks; // it is a `when`
};
/// RIGHT-HAND SIDE EVALUATION: the guard holds, and x gets the value of e when all of them are known.
struct RightHandSideEvaluation {
    Variable x;
    Expression e;
};
/// A variable that a guarded assignment assigns.
struct Assigned {
    Variable x;
    Expression e;
    Value before; // bot: x had no value
    Value v;
};
/// GUARDED ASSIGNMENT, or WHEN.
struct GuardedAssignment {
    Expression guard;
    bool blocks; // WHEN
    Value v;     // of the guard
    Status before;
    Status after;
    std::span<Assigned const> assigned; // in the order of the text; empty if the guard is false. Valid during the call
};
/// MACHINE STEP: the command leaves its thread, and the entry leaves the trace.
struct MachineStep {
    std::uint64_t entry;
    Location rho;
    std::uint32_t thread;
};
/// The entry's movements are undone, the last `count` of them.
struct MovementsTakenBack {
    std::span<Channel const> m;
};
/// s became error.
struct StuckAt {
    std::uint64_t entry;
    std::optional<Location> rho; // none if the trace is used up
    Stuck const& stuck;
    Status before;
};

} // namespace event

using Event =
    std::variant<event::EntryTaken, event::QueueMovement, event::VariableLookup, event::LeftOperand,
                 event::RightOperand, event::BinaryOperation, event::NotOperand, event::NotOperation,
                 event::IteCondition, event::IteOperand, event::AssumeExpressionsEvaluation, event::AssumeCommand,
                 event::AssertExpressionsEvaluation, event::AssertCommand, event::AssignExpressionsEvaluation,
                 event::AssignCommand, event::SndiExpressionEvaluation, event::SndiCommand, event::RcviCommand,
                 event::WaitSndiCommand, event::WaitRcviCommand, event::BarrierCommand, event::CollectiveStep,
                 event::GuardEvaluation, event::RightHandSideEvaluation, event::GuardedAssignment, event::ProbeCommand,
                 event::StartCommand, event::MachineStep, event::MovementsTakenBack, event::StuckAt>;

/// The rule that an event is of; none for MovementsTakenBack and EntryTaken, which are parts of one.
std::optional<Rule> rule_of(Event const& event);

class Observer {
public:
    Observer() = default;
    Observer(Observer const&) = delete;
    Observer& operator=(Observer const&) = delete;
    virtual ~Observer() = default;

    virtual void on(State const& state, Event const& event) = 0;
};

/// The observers of a machine. Without any, no event is constructed.
class Observers {
public:
    void add(Observer& observer) { list_.push_back(&observer); }
    bool empty() const { return list_.empty(); }

    template <typename MakeEvent>
    void fire(State const& state, MakeEvent make) const {
        if (list_.empty()) return;
        Event const event = make();
        for (Observer* const observer : list_) observer->on(state, event);
    }

private:
    boost::container::small_vector<Observer*, 4> list_;
};

} // namespace matchpoint::machine
