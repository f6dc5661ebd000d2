// The expected results of a program of the suite: how each of its traces ends, and what its executions are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/machine.hpp"

namespace matchpoint::suite {

/// A receive's action and its send's, by name; in program order.
using Matches = std::vector<std::pair<std::string, std::string>>;

struct TraceError {
    std::uint64_t entry;                 // from 0
    std::optional<std::string> location; // of the entry; none: the trace has ended
    std::string reason;                  // "message not there"
    bool operator==(TraceError const&) const = default;
};

struct TraceEnd {
    Status status = Status::success;
    bool well_formed = false;
    std::uint64_t steps = 0;                          // entries that were executed
    Matches matches;                                  // of the completed receives
    std::vector<std::pair<std::string, Value>> store; // variables with a value, sorted by name
    std::optional<TraceError> error;
    bool operator==(TraceEnd const&) const = default;
};

/// The matches of a complete run, and its status, which they determine.
struct MatchSet {
    Status status = Status::success;
    Matches matches;
    bool operator==(MatchSet const&) const = default;
};

struct Executions {
    std::string verdict; // "violated", "safe", "vacuous"
    bool deadlock = false;
    bool fault = false;
    /// Receive -> the sends that it gets in some complete run, both in program order.
    std::vector<std::pair<std::string, std::vector<std::string>>> match_pairs;
    std::vector<MatchSet> match_sets; // sorted by their sends' numbers, in program order
    bool operator==(Executions const&) const = default;
};

struct ExpectedResults {
    std::vector<TraceEnd> traces;
    std::optional<Executions> executions; // none: the program violates D1 to D6
    bool operator==(ExpectedResults const&) const = default;
};

/// By the reference machine. Throws LimitReached.
std::vector<TraceEnd> trace_ends(IndexedProgram const& code, Buffering buffering);

/// By exploration. None if there are more than `most_match_sets`, or if it takes more than a million machine steps. Throws
/// LimitReached.
std::optional<Executions> executions(IndexedProgram const& code, Buffering buffering,
                                     std::size_t most_match_sets = SIZE_MAX);

/// Both. Throws LimitReached, and std::logic_error if the exploration did not end.
ExpectedResults expected(IndexedProgram const& code, Buffering buffering);

} // namespace matchpoint::suite
