// The exact match pairs: those of some complete run, or of some execution on the path. match_pairs.hpp has the two sets
// that are found without running.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "executions/search.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::executions {

/// A pair of tight() that is not exact: of so many executions with it, which are all that can differ, none completes,
/// or none completes its receive on the path.
struct Refuted {
    Pair pair;
    std::uint64_t executions;
};

/// The exact pairs, by searching a complete run for each pair of tight() that no run so far has; or, under
/// Runs::executions, an execution in which some wait completes the receive with that send, for each pair of
/// tight_on_path(). None if the budget did not allow it. Throws LimitReached.
std::optional<MatchPairs> exact_pairs(MessageIndex const& messages, Buffering buffering, Budget& budget,
                                      std::vector<Refuted>* refuted = nullptr, Runs runs = Runs::complete);

enum class PairsMethod : std::uint8_t { overapprox, overapprox_all_sends, tight, exact };
std::string_view to_string(PairsMethod method);

/// One of the sets above; none if the exact one took too long. Throws LimitReached.
std::optional<MatchPairs> pairs_by(MessageIndex const& messages, Buffering buffering, PairsMethod method,
                                   Budget budget = {}, Runs runs = Runs::complete);

} // namespace matchpoint::executions
