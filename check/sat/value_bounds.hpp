// Which values receives can get in the runs of interest where messages are computed from others: intervals of integers,
// and the pairs of a receive and a send that they leave. (domains.hpp is about messages that are constants.)
//
// Three inferences; P are the pairs that are left:
//
//   reach      A receive gets one of its sends in P, so its interval is within the union of theirs; and what a message
//              is computed from was received before the message was sent. So intervals grow from the constants along P,
//              and what they do not reach is in no run. An end of an interval that keeps growing goes to infinity.
//   filter     (R, S) is in no run of interest if, with any value of S for R, some required atom over R cannot hold,
//              whatever the other receives get. If there is just one other receive, its sends are tried one by one,
//              those that are compatible with the pair.
//   sole_send  If S is the only send that is left for R, no other receive gets S.
//
// Pairs that one of them leaves out narrow the intervals of receives, then of what is computed from these, and so on.
// A minimum that a program takes of messages by comparing them, for example, is bounded like this without any search.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "check/sat/domains.hpp"

namespace matchpoint::check {

class ValueBounds {
public:
    /// Of integers; booleans are 0 and 1. A lower end at -far means that there is none, and one at far means far or
    /// more; the same the other way round for upper ends. Empty by default.
    struct Interval {
        static constexpr std::int64_t far = std::int64_t{1} << 60U;
        std::int64_t lo = far;
        std::int64_t hi = -far;

        static Interval all() { return {-far, far}; }
        static Interval clamped(Wide lo, Wide hi);
        bool is_empty() const { return lo > hi; }
        bool is_one() const { return lo == hi && -far < lo && lo < far; }
        /// Every value is less than every value of the other interval.
        bool is_below(Interval other) const { return hi < other.lo; }
        /// Every value is at most every value of the other interval.
        bool is_at_most(Interval other) const { return hi <= other.lo && hi < far && other.lo > -far; }
        bool operator==(Interval const&) const = default;
        void join(Interval other);
    };
    static Interval of(Value const& v);
    /// A superset of the results of an operator.
    static Interval apply(Op op, std::span<Interval const> operands);

    /// The data flow has to outlive it. The budget is for nodes evaluated and pairs looked at. When it is used up,
    /// nothing more is inferred.
    ValueBounds(DataFlow const& flow, MatchPairs pairs, std::size_t budget = 5'000'000);

    /// Whether some relevant message is computed from others. Otherwise there is nothing to infer here.
    static bool is_of_use(DataFlow const& flow);

    /// Only runs that satisfy these are of interest. False: there is none. May be called again.
    bool require(std::span<Requirement const> requirements);
    /// False: no run of interest satisfies it.
    bool may_hold(Requirement const& requirement);
    /// A superset of the pairs of the runs of interest.
    MatchPairs const& pairs() const { return pairs_; }
    InferenceCounts const& counts() const { return counts_; }

private:
    /// The values of variables.
    struct Frame {
        std::vector<Interval> received; // by receive
        std::vector<Interval> assigned; // by location
    };
    /// An atom that has to hold.
    struct Atom {
        Requirement requirement;
        DataFlow::Cone cone;
        std::size_t cost; // of evaluating it
    };

    void index_uses();
    bool spend(std::size_t cost);
    void give_up();

    // Values.
    Interval evaluate(Frame const& frame, std::uint32_t root);
    Interval evaluate(Atom const& atom, Frame& frame);
    Atom atom(Requirement const& requirement) const;
    void queue(std::vector<std::uint32_t> const& commands);
    std::optional<std::uint32_t> recompute();
    bool update(Interval& value, Expression const& e);

    // Inferences. Those that return a boolean: false if there is no run of interest.
    void reach();
    void grow(std::uint32_t receive, Interval by);
    bool narrow();
    bool narrow_receive(std::uint32_t receive);
    bool filter(Atom const& atom);
    bool is_possible(Atom const& atom, std::span<Pair const> pairs);
    bool is_possible(Atom const& atom, Pair p);
    bool drop(Pair p, Inference by);

    DataFlow const& flow_;
    MessageIndex const& m_;
    Ctp const& ctp_;
    MatchPairs pairs_;
    std::size_t budget_;
    std::vector<std::vector<std::uint32_t>> receives_of_; // send -> the receives that may get it
    std::vector<std::vector<std::uint32_t>> receivers_;   // receive -> commands that use its variable
    std::vector<std::vector<std::uint32_t>> users_;       // location of an assignment -> commands that use its variable
    Frame now_;
    Frame trial_;                                      // for the cone of one atom
    std::vector<std::pair<unsigned, unsigned>> moves_; // receive -> how often each end of its interval has grown
    std::vector<Interval> sent_;
    std::vector<Atom> atoms_;
    std::vector<std::vector<std::uint32_t>> atoms_of_; // receive
    std::deque<std::uint32_t> commands_;               // to be recomputed
    std::vector<bool> is_queued_;                      // command
    std::deque<std::uint32_t> filters_;                // atoms to be tried
    std::vector<bool> is_filter_queued_;               // atom
    InferenceCounts counts_;
};

} // namespace matchpoint::check
