// Clauses against cycles, which matching/feasibility.hpp finds in the match sets of solutions. Each is a blocking
// clause over the matches on a cycle. After a hundred of them, order_clauses.hpp excludes all cycles at once, unless
// that takes too many clauses.
#pragma once

#include <cstdint>

#include "check/sat/match_clauses.hpp"
#include "matching/feasibility.hpp"

namespace matchpoint::check {

class CycleClauses {
public:
    /// The messages are those whose order counts, with the numbers of those that the match clauses are about. All
    /// arguments have to outlive it.
    CycleClauses(SatSolver& sat, MessageIndex const& messages, MatchPairs const& pairs, Buffering buffering,
                 MatchClauses const& matches, Feasibility& feasibility)
        : sat_(sat), messages_(messages), pairs_(pairs), buffering_(buffering), matches_(matches),
          feasibility_(feasibility) {}

    /// Adds a blocking clause for each of some cycles that have no match in common, if the match set has any. Returns
    /// how many.
    std::uint64_t block(Matching m);

private:
    void block_all();

    SatSolver& sat_;
    MessageIndex const& messages_;
    MatchPairs const& pairs_;
    Buffering buffering_;
    MatchClauses const& matches_;
    Feasibility& feasibility_;
    std::uint64_t blocked_ = 0;
    bool all_tried_ = false;
};

} // namespace matchpoint::check
