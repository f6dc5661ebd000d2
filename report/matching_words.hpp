// What is known of matches, in words: why a match set is infeasible, and why a pair is no match pair.
#pragma once

#include <string>

#include "executions/exact_pairs.hpp"
#include "matching/feasibility.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::report {

/// "R2 = S4 and R5 = S4: a send is received once"; one sentence, and for a cycle a line for each edge.
std::string explain(MessageIndex const& messages, Conflict const& conflict);

/// "R4 = S1: 13 comes behind 06 in every run: 06 -> 08 -> (R7 = S3) -> 11 -> 13"
std::string explain(MessageIndex const& messages, Exclusion const& exclusion);

/// "R4 = S1: none of 3 executions tried for it completes; in complete runs R4 gets S2, and S1 goes to R5"
std::string explain(MessageIndex const& messages, MatchPairs const& exact, Refuted const& refuted);

} // namespace matchpoint::report
