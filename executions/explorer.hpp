// All executions of a program under D1 to D6, on the reference machine: the ground truth. docs/semantics.md, "Outcomes
// of a program", says what is known from them.
//
//   Explorer explorer(messages, {.buffering = Buffering::infinite});
//   while (auto const end = explorer.next()) use(*end, explorer.state(), explorer.schedule());
//
// The explorer branches only on which message an endpoint gets next. Between deliveries threads run on (scheduler.hpp).
//
//   infinite buffering  A message is delivered when a thread is at a wait that needs it, and only if enough messages
//                       are in transit for that wait. A delivery that comes earlier than needed can as well come later:
//                       only the endpoint's thread can see it (D1), and only at a wait.
//   zero buffering      A rendezvous takes place between a posted receive and a send in transit.
//
// Deliveries at different endpoints are independent (machine/transition.hpp). Executions with the same match set are
// therefore interleavings of the same deliveries, one Mazurkiewicz trace, and the explorer visits each match set once.
// Two partial order reductions see to that:
//
//   sleep sets     A delivery that was explored in a sibling branch is skipped until a delivery that depends on it has
//                  happened.
//   stubborn sets  The explorer branches on a subset of the endpoints, chosen so that deliveries elsewhere cannot
//                  change its choices. An endpoint gains a choice only when the first message of another channel is
//                  sent, and that has to wait for whatever its sender waits for.
//
// Why stubborn sets lose no match set. Let B be the subset, and take an execution from this state. Before its first
// delivery d at an endpoint of B, the choices of B are as they are now: no delivery elsewhere takes one away, and each
// thread that could add one is at a wait at an endpoint of B. So d is one of the choices. It commutes with all
// deliveries before it, so it can as well come first. If there is no d, B still has its choices when the execution
// ends, so it could have gone on. A program has no loops, so nothing is put off forever.
//
// Why sleep sets lose none, and visit none twice. Since the branch that explored d, only deliveries that commute with d
// have happened. If d came next now, it could as well have come at once, and that was visited there. Executions in
// which a delivery that depends on d comes first are visited only here.
//
// The executions are as many as the match sets and the ways to get stuck: exponentially many in the worst case
// (at_most_match_sets()). A state takes a closure for each thread at a wait, each linear in the channels. Only the
// deliveries of the current execution are in memory. Sleep sets are Godefroid's (Partial-Order Methods for the
// Verification of Concurrent Systems), stubborn sets Valmari's (Stubborn Sets for Reduced State Space Generation).
//
// Where only verdicts matter, merging states replaces sleep sets. Two states are merged if they took the same messages,
// have equal statuses, and no remaining command can tell their values apart (state_abstraction.hpp). Sleep sets would
// be wrong then: a merged state was reached in several ways, and in each other deliveries sleep.
//
// A program with selectors, modes or barriers (docs/semantics.md) is explored without these reductions: at an endpoint
// that selects, deliveries in another order can be the same match set. The explorer branches on every delivery that
// some thread waits for and on every message that a probe can see, merges states in which endpoints got and probes saw
// the same messages, and shows each match set once, with probes once for each way to see messages. Most
// such programs can be lowered to plain ones (lowering/lowered.hpp), which is faster.
//
// It does not branch where a match has to come: a posted receive and the first message for it, which can get no other
// partner (Scheduler::is_forced). Such a match stays enabled until it is made, and what comes before it stays enabled
// after it: a match needs certain receives and messages to have partners, and none to lack one. So each execution has
// it, and can as well begin with it. A probe does not see its message in any case, as the posted receive comes first.
//
// Where two collectives that belong together disagree, a thread that reaches its one makes the step of another thread
// over the other one a mismatch. So the explorer also branches on the commands that bring threads there: whatever the
// others can do first, they do in some branch.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "executions/key_set.hpp"
#include "executions/scheduler.hpp"

namespace matchpoint::executions {

class StateAbstraction;

class Explorer : public Scheduler {
public:
    struct Options {
        Buffering buffering = Buffering::infinite;
        Runs runs = Runs::complete;
        /// A state that some execution reached: only executions that go on from it, and schedules from there on. Null
        /// for the initial state. Only the constructor looks at it.
        State const* from = nullptr;
        /// Only the kinds of ends and the statuses matter: the explorer skips executions that cannot differ in these.
        bool verdicts_only = false;
        /// Only the kinds of ends matter, and values cannot change these: no divisor can be zero and, with
        /// Runs::executions, there is no assumption: the explorer skips executions that
        /// cannot differ in the kinds of their ends.
        bool control_only = false;
        /// Whether a receive may get a send (numbers of MessageIndex); empty if it always may. Only for plain programs.
        /// The explorer skips other matches. An execution that gets stuck for that reason is no deadlock; it ends as
        /// `pruned`.
        std::function<bool(Pair)> may_match;
        /// Called before every delivery, if it is not empty. If it returns true, next() returns as if the steps were
        /// used up.
        std::function<bool()> stop;
    };
    struct Counts {
        std::uint64_t executions = 0;   // ends so far
        std::uint64_t states = 0;       // with more than one choice
        std::uint64_t merged = 0;       // states seen before, where states are merged
        std::uint64_t asleep = 0;       // states with all choices explored elsewhere
        std::uint64_t stored_bytes = 0; // for the set of states
    };

    /// The messages have to outlive it.
    Explorer(MessageIndex const& messages, Options options);
    ~Explorer();

    /// Runs to the end of the next execution, whose state and schedule stay until the next call. None if there is no
    /// further execution, or none within so many more machine steps (then done() is false, and another call goes on
    /// from there). Throws LimitReached; the explorer cannot be used after that.
    std::optional<End> next(std::uint64_t steps = UINT64_MAX);
    bool done() const { return done_; }

    Counts const& counts() const { return counts_; }

private:
    struct Frame {
        Mark mark;           // before its transitions
        std::uint32_t sleep; // its range of pool_: asleep, then to be explored
        std::uint32_t transitions;
        std::uint32_t end;
        std::uint32_t next;
    };

    /// What was seen of a program that is not plain.
    struct Arrivals {
        KeySet seen;    // states
        KeySet matched; // match sets of complete runs
        std::string key;
        std::vector<Action> probes;           // of which it counts what they saw
        std::vector<Action> probes_of_no_use; // of which it only counts whether they saw something

        Arrivals(IndexedProgram const& code, bool verdicts_only);
        void append_probes(State const& state);
        bool remember(IndexedProgram const& code, State const& state);
        bool remember(State const& state, std::vector<Match> const& matches);
        void append(std::uint32_t n);
    };

    std::optional<End> examine();
    bool is_allowed(Channel c) const;
    void choices(Endpoint beta);
    void stubborn();
    void keep_one_that_is_forced();
    bool may_leave_out() const;
    void close(std::uint32_t seed);
    void want(Endpoint beta);
    void blockers(std::uint32_t thread);

    Options options_;
    DependenceRelation dependence_;
    std::vector<Frame> frames_;
    std::vector<Choice> pool_;
    std::vector<Choice> sleep_;
    std::vector<Choice> chosen_;
    std::vector<Choice> best_;
    std::vector<std::uint32_t> marked_; // endpoint -> the closure it was in last
    std::vector<Endpoint> work_;
    std::uint32_t closure_ = 0;
    std::uint64_t looked_at_ = 0; // endpoints, by stubborn()
    bool started_ = false;
    bool done_ = false;
    std::unique_ptr<StateAbstraction> abstraction_;
    std::unique_ptr<Arrivals> seen_; // of a program that is not plain
    Counts counts_;
};

/// An upper bound for the number of match sets: the ways to serve the receives at each endpoint in the order of every
/// channel, multiplied over the endpoints. A decimal number, or "about 10^n". Linear in the size of the program, and
/// quadratic in the receives at an endpoint with many channels.
std::string at_most_match_sets(MessageIndex const& messages);

} // namespace matchpoint::executions
