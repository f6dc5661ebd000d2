#pragma once

/// What the explorer finds, in the naive exploration's terms, so that the two can be compared whole.

#include <set>
#include <string>

#include "executions/explorer.hpp"
#include "matching/match_pairs.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/naive_explore.hpp"

namespace matchpoint::naive {

struct Found {
    std::map<Matching, Status> outcomes = {};
    std::set<std::string> orphans = {};
    std::set<std::vector<std::size_t>> deadlocks = {};
    bool fault = false;
    std::set<Status> statuses = {};
    std::size_t twice = 0; ///< complete runs with a match set that another one has

    bool operator==(Found const&) const = default;
};

Found as_found(Truth const& truth);

/// Explores everything, and replays every complete run's trace with the naive oracle, which has to agree.
Found explored(MessageIndex const& messages, bool zero, bool verdicts_only);

/// Match pairs by name.
std::set<std::pair<std::string, std::string>> names(MessageIndex const& messages, MatchPairs const& pairs);

/// A match set by names.
Matching names(MessageIndex const& messages, matchpoint::Matching const& m);

void PrintTo(Found const& found, std::ostream* out);

} // namespace matchpoint::naive
