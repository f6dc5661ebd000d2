// What each receive can get in the runs that are asked for, before any match is spoken of: intervals of values.
//
// Of an endpoint that is only sent constants, the values are known: a sorted table, with how often each is sent. What has
// to hold in every wanted run (each assumption; the negation of an assertion; and what these are conjunctions of) narrows
// the intervals:
//
//   bounds      a linear constraint a_1 x_1 + ... + c <= 0 bounds each x_i by the extremes of the others;
//   injection   different receives get different sends: k receives take k of the messages in their intervals, so a sum
//               of them is at most that of the k largest, sorted by coefficients (the rearrangement inequality);
//   Hall        if the receives of an interval are more than the messages in it, there is no run.
//
// Nothing here is quadratic in the size of the program, and no pair of a receive and a send is looked at before
// candidates() lists those that are left.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "matching/data_flow.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::check {

__extension__ using Wide = __int128; // no sum of products of small integers is larger

/// A boolean node, and the value that it has in every wanted run.
struct Requirement {
    std::uint32_t node;
    bool value;
};

class Domains {
public:
    /// The data flow has to outlive it.
    explicit Domains(DataFlow const& flow);

    /// Only runs are wanted in which these hold. False: there is none. May be called again.
    bool require(std::span<Requirement const> requirements);
    /// Whether no reason was found for which no wanted run has this.
    bool may_hold(Requirement const& requirement) const;
    /// Whether Hall's condition holds for the intervals of each endpoint.
    bool has_matching() const;
    /// If it does not: receives at one endpoint, and the fewer messages that these intervals leave them. Quadratic in the
    /// receives at an endpoint.
    struct HallViolator {
        std::vector<std::uint32_t> receives;
        std::vector<std::uint32_t> sends;
    };
    std::optional<HallViolator> hall_violator() const;

    /// What overapprox() leaves and the intervals allow, without looking at other pairs than these where one of the two
    /// leaves few; none if there are more than `most`.
    std::optional<MatchPairs> candidates(std::size_t most) const;

private:
    /// Of an endpoint that is sent small constants only, booleans as 0 and 1.
    struct Table {
        bool is_closed = false;
        std::vector<std::int64_t> values; // ascending, each once
        std::vector<std::uint32_t> first; // value -> its first send in sends; one more than there are values
        std::vector<std::uint32_t> sends;
        std::vector<std::uint32_t> repeated; // how many of the values before are sent more than once
    };
    /// Indices of values: [lo, hi).
    struct Interval {
        std::uint32_t lo = 0;
        std::uint32_t hi = 0;
    };
    /// sum + c OP 0
    struct Linear {
        struct Part {
            std::uint32_t r;
            std::int64_t a;
        };
        enum class Kind : std::uint8_t { at_most, equal, differs } kind;
        std::vector<Part> parts; // by receive, ascending; no a is 0
        std::int64_t c = 0;
    };

    bool expand(std::span<Requirement const> requirements, std::vector<Requirement>& leaves) const;
    std::optional<Linear> linear(Requirement const& leaf) const;
    std::optional<std::pair<Wide, Wide>> bounds(Linear const& l) const;
    std::optional<std::pair<Wide, Wide>> injective_bounds(std::span<Linear::Part const> parts) const;
    bool may_hold(Linear const& l) const;
    bool may_be_equal(Linear const& l) const;
    bool narrow(std::vector<Linear> const& constraints);
    bool narrow(Linear const& l, std::vector<std::uint32_t>& changed);
    bool has_matching(Endpoint beta) const;

    Table const& table(std::uint32_t r) const { return tables_[m_.receives()[r].beta.index]; }
    std::int64_t least(std::uint32_t r) const { return table(r).values[of_[r].lo]; }
    std::int64_t greatest(std::uint32_t r) const { return table(r).values[of_[r].hi - 1]; }

    DataFlow const& flow_;
    MessageIndex const& m_;
    std::vector<Table> tables_;
    std::vector<Interval> of_; // receive
    Evaluation mutable evaluation_;
};

/// What is true of all wanted runs if these are: the operands of conjunctions, and of negated disjunctions and
/// implications; of variables, what they were assigned, and what a receive from a single channel gets. False: two of them
/// contradict each other, or a constant does.
bool conjuncts(DataFlow const& flow, std::span<Requirement const> requirements, std::vector<Requirement>& leaves);

} // namespace matchpoint::check
