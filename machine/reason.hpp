// Why the machine is stuck, as a value: one type for each reason (docs/semantics.md, "When no rule applies").
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "machine/indexed_program.hpp"
#include "machine/rule.hpp"

namespace matchpoint::machine {

namespace reason {

/// The trace's head names a location that is no thread's next command.
struct NotNextCommand {
    Location rho;
};
/// Pnd_s(beta)(alpha) is empty; or, where the movement names a tag, there is no such message that could leave it next.
struct NothingInTransit {
    Endpoint beta;
    Endpoint alpha;
    Tag n; // none if the movement names no tag, or all messages have it
};
/// A rendezvous: |Q_s(beta)| < |Pnd_r(beta)| does not hold before the movement of a_s. Where beta selects: no posted
/// receive can get a_s.
struct NoPostedPartner {
    Endpoint beta;
    Endpoint alpha;
    Tag n;      // as above
    Action a_s; // none if the movement names no tag, and no receive can get any of several messages
    // Where beta selects, a receive that could get a_s if it did not have to get another message first; none otherwise.
    Action a_r;
    Action before;
};
/// Q_s(beta) has no entry at a_r's place in Pnd_r(beta), or a_r has no partner in it.
struct MessageNotThere {
    /// A message to beta, and the receive whose partner it is; none if it is in transit.
    struct Delivered {
        Action a_s;
        Action a_r;
    };
    Action a_r;
    Endpoint beta;
    std::size_t place;     // of a_r in Pnd_r(beta), from 0
    std::size_t delivered; // |Q_s(beta)|
    /// Q_s(beta) and what is in transit to it, if beta selects. (In the state after the error, the entry's movements
    /// are taken back.)
    std::vector<Delivered> there = {};
};
/// A wait on a send that waits, and whose message no posted receive has.
struct SendNotTaken {
    Action a_s;
    Action held_by = {}; // an mprobe that has matched the message and whose receive has not started; or none
};
/// A wait on a send that waits, and that has not been issued.
struct SendNotIssued {
    Action a_s;
};
/// A wait on a receive that is not in Pnd_r.
struct ReceiveNotPending {
    Action a_r;
    bool issued; // then it was waited for already
};
struct VariableWithoutValue {
    Variable x;
};
/// An operator, and an operand of the wrong sort (or two operands of different sorts).
struct OperandOfWrongSort {
    Op op;
    Value v_l; // of `not`: its operand
    Value v_r; // of `not`: bot
};
struct DivisionByZero {
    Op op;
    Value v_l;
};
/// A barrier that a thread has not reached.
struct NotAtBarrier {
    Barrier b;
    std::uint32_t thread;
};
/// A collective, or a wait for one, that needs a thread which has not called it.
struct NotCalled {
    Location call;
    std::uint32_t thread;
};
/// Two collectives that belong together, and disagree; both threads have called.
struct Mismatch {
    Location call; // of the command's thread
    Location other;
};
/// A `when` whose guard is false.
struct GuardFalse {
    Expression guard;
};
/// A ready send whose message no posted receive could get.
struct NoReceiveForReadySend {
    Action a_s;
};
/// A probe, and no message that a receive with its selectors, posted now, could get.
struct NothingToProbe {
    Action probe;
    Action a_s; // a message that it would see if a_r did not get it first; none if there is no such message
    Action a_r;
};
/// An entry whose peek is not one of the messages that its probe can see; or is missing; or belongs to no probe.
struct WrongPeek {
    Action probe;       // none if the entry's command is not a probe
    Movement peek = {}; // beta is none if it is missing
};
/// A start of an action that no mprobe has matched, or that was started already.
struct NotMatched {
    Action a_r;
    bool started;
};
/// The trace is used up, and threads still have commands.
struct TraceUsedUp {
    std::uint32_t commands_left;
};

} // namespace reason

using Reason =
    std::variant<reason::NotNextCommand, reason::NothingInTransit, reason::NoPostedPartner, reason::MessageNotThere,
                 reason::SendNotTaken, reason::SendNotIssued, reason::ReceiveNotPending, reason::VariableWithoutValue,
                 reason::OperandOfWrongSort, reason::DivisionByZero, reason::TraceUsedUp, reason::NotAtBarrier,
                 reason::GuardFalse, reason::NoReceiveForReadySend, reason::NothingToProbe, reason::WrongPeek,
                 reason::NotMatched, reason::NotCalled, reason::Mismatch>;

inline constexpr std::size_t reason_count = std::variant_size_v<Reason>;

/// Two or three words, for scripts and tables: "message not there". `index` is the variant's.
std::string_view reason_label(std::size_t index);
inline std::string_view to_string(Reason const& r) { return reason_label(r.index()); }

/// Which rule does not apply, or sets s to error, and why.
struct Stuck {
    Rule rule;
    Reason reason;
};

/// The result of a rule: it reduces, or it is stuck. One word; a rule that reduces allocates nothing.
class [[nodiscard]] Step {
public:
    static Step reduced() { return Step(nullptr); }
    static Step stuck(Rule rule, Reason reason) {
        return Step(std::make_unique<Stuck>(Stuck{rule, std::move(reason)}));
    }

    bool is_stuck() const { return stuck_ != nullptr; }
    /// Only of a step that is stuck.
    Stuck const& why() const { return *stuck_; }

private:
    explicit Step(std::unique_ptr<Stuck> stuck) : stuck_(std::move(stuck)) {}

    std::unique_ptr<Stuck> stuck_;
};

} // namespace matchpoint::machine
