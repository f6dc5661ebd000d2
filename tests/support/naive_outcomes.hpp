#pragma once

/// What the complete runs of a small program with shared variables come to, by brute force: who gets which message, and
/// who reads whose write. Written from "Executions and verdicts" (docs/shared_memory.md), and made of the naive
/// oracle's own steps.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_explore.hpp"

namespace matchpoint::naive {

/// Command -> variable -> the command whose write it reads; none if the variable has its initial value.
using ReadsFrom = std::map<std::string, std::map<std::string, std::optional<std::string>>>;

struct SharedOutcomes {
    /// Of complete runs, with each status that they end in.
    std::map<std::pair<Matching, ReadsFrom>, std::set<Status>> complete = {};
    std::set<std::pair<std::string, std::string>> pairs = {};               ///< of complete runs
    std::set<std::pair<std::string, std::string>> pairs_of_executions = {}; ///< of all executions on the path
};

/// Over every interleaving of single thread steps and single movements, movements at any moment; nothing if there are
/// more than `limit` states, each taken with the reads and the last writes so far.
std::optional<SharedOutcomes> outcomes_of(Program const& program, bool zero, std::size_t limit);

/// Variable -> value, as text, at the ends of complete runs on the path; with shared variables or without. Nothing if
/// there are more than `limit` states.
std::optional<std::set<std::map<std::string, std::string>>> final_values(Program const& program, bool zero,
                                                                         std::size_t limit);

} // namespace matchpoint::naive
