// Which constants each receive can get in the runs of interest, as intervals, before any pair is listed.
//
//   Domains domains(flow);
//   if (!domains.require(requirements)) ...       // no run satisfies them
//   if (!domains.may_hold({assertion, false})) ... // none of these runs fails there
//   auto const pairs = domains.candidates(most);
//
// An endpoint that is only sent constants has a table of their values, sorted, and how often each of them is sent. So
// has each field of the messages to an endpoint (cells.hpp). An interval is a range of such a table. The requirements
// (each assumption; the negation of an assertion) are taken apart into atoms (requirement.hpp) and narrow the intervals
// by the inferences in domain_inferences.cpp:
//
//   bounds, disequality, injection, equality, evaluation, hall
//
// Nothing here is quadratic in the size of the program. Pairs of a receive and a send are first looked at by
// candidates(), which lists those that are left.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/sat/linear.hpp"
#include "machine/extent.hpp"
#include "matching/candidate_windows.hpp"
#include "matching/inferences.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::check {

class Domains {
public:
    /// The data flow has to outlive it. `prefix`: the runs of interest need not complete, so a receive may get nothing.
    /// `follow`: constraints follow messages that have only one receive to go to, and there are cells for fields.
    /// (Certificates have no reason for either.)
    explicit Domains(DataFlow const& flow, Extent extent = Extent::complete, bool follow = false);

    /// Only runs that satisfy these are of interest. False: there is none. May be called again.
    bool require(std::span<Requirement const> requirements);
    /// False: no run of interest satisfies it.
    bool may_hold(Requirement const& requirement) const;
    /// Inference `hall`. False: there is no run of interest.
    bool has_matching() const;
    /// If it is false: receives at one endpoint, and the sends that their intervals leave them, which are fewer.
    /// Quadratic in the receives at an endpoint.
    struct HallViolator {
        std::vector<std::uint32_t> receives;
        std::vector<std::uint32_t> sends;
    };
    std::optional<HallViolator> hall_violator() const;

    /// The send that the interval of a receive leaves; none if it leaves several, or is not known.
    std::optional<std::uint32_t> only_send(std::uint32_t r) const;
    /// If an interval leaves a receive some of the messages to its endpoint: up to `most` of them, evenly spread, that
    /// the windows allow.
    std::vector<std::uint32_t> some_sends(std::uint32_t r, CandidateWindows const& windows, std::size_t most) const;
    /// The pairs that the intervals and the windows allow. Where either leave few, no others are looked at. None if
    /// there are more than `most`.
    std::optional<MatchPairs> candidates(CandidateWindows const& windows, std::size_t most) const;

    InferenceCounts const& counts() const { return counts_; }

private:
    /// What an endpoint is sent, or a field of that, if these are small constants only; booleans are 0 and 1.
    struct Table {
        bool is_closed = false;
        std::vector<std::int64_t> values;    // ascending, each once
        std::vector<std::uint32_t> first;    // value -> its first send in `sends`; one more than there are values
        std::vector<std::uint32_t> sends;    // by value
        std::vector<std::uint32_t> repeated; // value -> how many smaller values are sent more than once
    };
    /// Indices of values: [lo, hi).
    struct Interval {
        std::uint32_t lo = 0;
        std::uint32_t hi = 0;
        bool operator==(Interval const&) const = default;
    };
    /// From the least to the greatest value of a sum.
    struct Range {
        Wide least;
        Wide greatest;
    };

    void fill(std::uint32_t table);

    // Inferences. Each one counts, and returns false if it leaves no run.
    bool narrow_by(std::vector<Linear> const& constraints);
    bool narrow_by(Linear const& l, std::vector<std::uint32_t>& changed);
    bool by_disequality(Linear const& l, std::vector<std::uint32_t>& changed);
    bool by_bounds(Linear const& l, std::int64_t sign, std::vector<std::uint32_t>& changed);
    bool bounds_allow(Linear const& l) const;
    bool injection_allows(Linear const& l) const;
    bool equality_allows(Linear const& l) const;
    bool evaluation_allows(Requirement const& atom) const;
    bool atom_may_hold(Requirement const& atom) const;
    bool has_matching(std::uint32_t table) const;

    Range range(std::span<Linear::Part const> parts) const;
    std::optional<Range> injective_range(std::span<Linear::Part const> parts) const;
    bool cut(Linear::Part const& part, Wide a, Wide most);
    std::optional<HallViolator> hall_violator(std::uint32_t table) const;
    std::optional<std::uint32_t> shortest(std::uint32_t r) const;
    std::vector<std::uint32_t> sends_for(std::uint32_t r, CandidateWindows const& windows) const;

    Table const& table(std::uint32_t x) const { return tables_[cells_.table(x)]; }
    std::int64_t least(std::uint32_t x) const { return table(x).values[of_[x].lo]; }
    std::int64_t greatest(std::uint32_t x) const { return table(x).values[of_[x].hi - 1]; }
    std::uint32_t cell(std::uint32_t table, std::uint32_t r) const {
        return cells_.of_table(table)[m_.receives()[r].ordinal];
    }
    /// How many messages its interval leaves a closed cell.
    std::uint32_t size(std::uint32_t x) const { return table(x).first[of_[x].hi] - table(x).first[of_[x].lo]; }

    DataFlow const& flow_;
    MessageIndex const& m_;
    bool follow_;
    Cells cells_;
    std::vector<Table> tables_;
    std::vector<Interval> of_;    // cell
    std::vector<bool> is_closed_; // cell: its table is
    Evaluation mutable evaluation_;
    InferenceCounts mutable counts_;
};

} // namespace matchpoint::check
