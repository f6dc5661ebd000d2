// All executions of a program under D1 to D6: the ground truth (semantics.md, "Outcomes of a program").
//
// The explorer drives the rules of the reference machine, and chooses only where there is something to choose: which
// message an endpoint gets next. Everything else runs as far as it can, for a step of a thread never disables anything:
// it issues requests and consumes waits, and its effect does not depend on when it comes.
//
//   infinite buffering  a message is delivered when a thread stands at a wait that needs it, and only if enough are in
//                       transit for that wait (what is delivered earlier than needed can as well be delivered later);
//   zero buffering      a rendezvous takes place between a posted receive and a send in transit.
//
// Deliveries at different endpoints commute, and neither disables the other. So the executions that end in the same
// match set are the interleavings of the same deliveries (one Mazurkiewicz trace), and every match set has to be visited
// once only. Two reductions see to that:
//
//   sleep sets     a delivery that a sibling has explored is not explored again before another one at its endpoint;
//   stubborn sets  of the endpoints that could be served now, only some are, from which no other endpoint's delivery
//                  can take away or add a choice: an endpoint's choices can only grow by the first message of a channel
//                  to it, and that has to wait for what its sender waits for.
//
// Where only verdicts are asked, states are merged instead of using sleep sets: two states are the same if the same
// messages were taken, the statuses are equal, and what is left to do does not tell their values apart (residual.hpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "executions/scheduler.hpp"
#include "machine/history.hpp"

namespace matchpoint::executions {

class StateAbstraction;

class Explorer : public Scheduler {
public:
    struct Options {
        Buffering buffering = Buffering::infinite;
        /// Only the kinds of ends and the statuses matter: executions that cannot differ in these are left out.
        bool verdicts_only = false;
        /// Only the kinds of ends matter, in a program without divisors that may be zero: executions that cannot differ in
        /// these are left out.
        bool control_only = false;
        /// Whether a receive may get a send (numbers of MessageIndex); empty: always. Executions in which one gets another
        /// one are left out; those that get stuck because of it are no deadlocks, and end as `pruned`.
        std::function<bool(Pair)> may_match;
        /// Asked before every delivery, if it is not empty; true: next() returns as if the steps were used up.
        std::function<bool()> stop;
    };
    struct Counts {
        std::uint64_t executions = 0;   // ends so far
        std::uint64_t states = 0;       // in which something was chosen
        std::uint64_t merged = 0;       // states that were there already (verdicts_only)
        std::uint64_t asleep = 0;       // states in which everything had been explored elsewhere
        std::uint64_t stored_bytes = 0; // for the states that are remembered
    };

    /// The messages have to outlive it.
    Explorer(MessageIndex const& messages, Options options);
    ~Explorer();

    /// The next execution's end; the state, the schedule and so on are its own until the next call. None if there is no
    /// further one, or none within so many more machine steps: then done() is false, and next() goes on from there.
    /// Throws LimitReached; the explorer is of no use then.
    std::optional<End> next(std::uint64_t steps = UINT64_MAX);
    bool done() const { return done_; }

    Counts const& counts() const { return counts_; }

private:
    struct Transition {
        Channel channel;
        Endpoint beta;
    };
    struct Frame {
        std::size_t locations; // of path_, before its transitions
        std::size_t movements;
        std::uint32_t sleep; // its range of pool_: asleep, then to be explored
        std::uint32_t transitions;
        std::uint32_t end;
        std::uint32_t next;
    };

    std::optional<End> examine();
    bool is_allowed(Channel c) const;
    void choices(Endpoint beta);
    void stubborn();
    bool may_leave_out() const;
    void close(std::uint32_t seed);
    void want(Endpoint beta);
    void blockers(std::uint32_t thread);
    void back_to(Frame const& f);

    Options options_;
    History history_;
    std::vector<Frame> frames_;
    std::vector<Transition> pool_;
    std::vector<Transition> sleep_;
    std::vector<Transition> chosen_;
    std::vector<Transition> best_;
    std::vector<std::uint32_t> marked_; // endpoint -> the closure it was in last
    std::vector<Endpoint> work_;
    std::uint32_t closure_ = 0;
    bool pruned_ = false; // may_match stood against a delivery in the state that is examined
    bool started_ = false;
    bool done_ = false;
    std::unique_ptr<StateAbstraction> abstraction_;
    Counts counts_;
};

/// How many ways there are to serve the receives at each endpoint in the order of every channel, taken together: no
/// program has more match sets. As a decimal number, or about 10^n; linear in the program's size, but for endpoints with many channels (quadratic in their receives).
std::string at_most_match_sets(MessageIndex const& messages);

} // namespace matchpoint::executions
