// What receives can get in the runs that are asked for where it is computed from what others get: intervals of integers, and
// the pairs of a receive and a send that they leave. domains.hpp is about what is sent as it stands in the program.
//
//   reach     What a message is made of was received before it was sent. So intervals grow from constants along possible
//             matches, and what they do not arrive at is in no run. An end that goes round in a circle goes to infinity.
//   narrow    What has to hold in every wanted run is tried with each pair: if no value of the send lets it hold, whatever the
//             other receives get (where there is only one other: from a send that it can get beside this pair), the pair is
//             in no such run. A receive with a single send has it for itself. What that leaves of intervals goes on.
//
// So a minimum that is taken of messages, as its branches say it, is bounded by those that it is taken of.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "check/domains.hpp"

namespace matchpoint::check {

class ValueBounds {
public:
    /// Of integers, booleans as 0 and 1. A lower end at -far is none, and one at far means that or more; upper ends alike.
    /// Without an argument: empty.
    struct Interval {
        static constexpr std::int64_t far = std::int64_t{1} << 60U;
        std::int64_t lo = far;
        std::int64_t hi = -far;

        static Interval all() { return {-far, far}; }
        static Interval clamped(Wide lo, Wide hi);
        bool is_empty() const { return lo > hi; }
        bool is_one() const { return lo == hi && -far < lo && lo < far; }
        /// All values of the one are less than all of the other; are no more than.
        bool is_below(Interval other) const { return hi < other.lo; }
        bool is_at_most(Interval other) const { return hi <= other.lo && hi < far && other.lo > -far; }
        bool operator==(Interval const&) const = default;
        void join(Interval other);
    };
    static Interval of(Value const& v);
    /// All results of an operator that there are, perhaps more. Of `not`: of the operand on the right.
    static Interval apply(Op op, Interval a, Interval b);

    /// The data flow has to outlive it. `budget`: of nodes and pairs that are looked at; when it is used up, nothing more is
    /// found out.
    ValueBounds(DataFlow const& flow, MatchPairs pairs, std::size_t budget = 5'000'000);

    /// Whether a message is computed from others that can decide how a run ends. Otherwise there is nothing for it to do.
    static bool is_of_use(DataFlow const& flow);

    /// Only runs are wanted in which these hold. False: there is none. May be called again.
    bool require(std::span<Requirement const> requirements);
    /// Whether no reason was found for which no wanted run has this.
    bool may_hold(Requirement const& requirement);
    /// Those of wanted runs are among them.
    MatchPairs const& pairs() const { return pairs_; }

private:
    /// What variables are.
    struct Frame {
        std::vector<Interval> received; // receive
        std::vector<Interval> assigned; // location
    };
    /// That a node has a value.
    struct Leaf {
        Requirement requirement;
        DataFlow::Cone cone;
        std::size_t cost; // of evaluating it
    };

    bool pay(std::size_t cost);
    Interval evaluate(Frame const& frame, std::uint32_t root);
    Interval evaluate(Leaf const& leaf, Frame& frame);
    Leaf leaf(Requirement const& requirement) const;
    void queue(std::vector<std::uint32_t> const& commands);
    std::optional<std::uint32_t> recompute();
    void reach();
    bool narrow();
    bool narrow_receive(std::uint32_t receive);
    bool filter(Leaf const& leaf);
    bool drop(Pair p);
    bool is_possible(Leaf const& leaf, std::span<Pair const> pairs);
    bool is_possible(Leaf const& leaf, Pair p);

    DataFlow const& flow_;
    MessageIndex const& m_;
    Ctp const& ctp_;
    MatchPairs pairs_;
    std::size_t budget_;
    std::vector<std::vector<std::uint32_t>> receives_of_; // send
    std::vector<std::vector<std::uint32_t>> receivers_;   // receive -> commands with its variable
    std::vector<std::vector<std::uint32_t>> users_;       // assignment's location -> commands with its variable
    Frame now_;
    Frame trial_; // of a leaf's cone
    std::vector<Interval> sent_;
    std::vector<Leaf> leaves_;
    std::vector<std::vector<std::uint32_t>> leaves_of_; // receive
    std::vector<Interval> stack_;
    std::deque<std::uint32_t> commands_; // to be looked at
    std::vector<bool> is_queued_;        // command
    std::deque<std::uint32_t> filters_;  // leaves to be looked at
    std::vector<bool> is_filter_queued_; // leaf
};

} // namespace matchpoint::check
