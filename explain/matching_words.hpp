// Matches in words: match sets, why one is infeasible, and why a pair is not a match pair.
#pragma once

#include <string>

#include "base/paint.hpp"
#include "executions/exact_pairs.hpp"
#include "matching/feasibility.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::explain {

/// "R2 = S4"
std::string shown(MessageIndex const& messages, Pair pair);
/// "R2 = S5, R5 = S4"; no more than `limit` pairs, then how many more there are.
std::string shown(MessageIndex const& messages, Matching const& m, std::size_t limit = 20);
/// "R2 = S5 instead of S4, ...": where a match set differs from another one.
std::string shown_difference(MessageIndex const& messages, Matching const& m, Matching const& from);
/// "  R2: S4, S5", a line for each receive
std::string shown(MessageIndex const& messages, MatchPairs const& pairs, Paint const& paint = Paint());
/// The lists that Figure 15 makes its pairs from, as in equations (1) to (4): "(0 -> ((0, R01), (1, R02)))", a line
/// for each endpoint that receives; then "(0 -> ((1 -> ((0, S11))), (2 -> ((0, S21)))))", for each that is sent to.
std::string lists_of_figure_15(MessageIndex const& messages, Paint const& paint = Paint());

/// "R2 = S4, R5 = S4: a send is received once"; one sentence, and for a cycle also a line for each edge.
std::string in_words(MessageIndex const& messages, Conflict const& conflict);

/// `R4 = S1: 13 comes after 06 in every run: 06 -> 08 -> (R7 = S3) -> 11 -> 13`
std::string in_words(MessageIndex const& messages, Exclusion const& exclusion);

/// "R4 = S1: none of 3 executions tried for it completes; in complete runs R4 gets S2, and S1 goes to R5"
std::string in_words(MessageIndex const& messages, MatchPairs const& exact, Refuted const& refuted);

/// "every complete run leaves 1 message to endpoint 5 unreceived, as no command receives there"
std::string orphans_in_words(MessageIndex const& messages, Endpoint beta, std::uint32_t orphans);

} // namespace matchpoint::explain
