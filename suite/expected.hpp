// What the semantics says of a program of the suite: how each of its traces ends, and what all its executions are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/machine.hpp"

namespace matchpoint::suite {

/// A receive's action and a send's, by name; in the order of the program.
using Matches = std::vector<std::pair<std::string, std::string>>;

struct TraceError {
    std::uint64_t entry;                 // from 0
    std::optional<std::string> location; // that the entry names; none: the trace is used up
    std::string reason;                  // "message not there"
    bool operator==(TraceError const&) const = default;
};

struct TraceEnd {
    Status status = Status::success;
    bool well_formed = false;
    std::uint64_t steps = 0;                          // entries that were done
    Matches matches;                                  // of the receives that a wait has completed
    std::vector<std::pair<std::string, Value>> store; // the variables that have a value, sorted by name
    std::optional<TraceError> error;
    bool operator==(TraceEnd const&) const = default;
};

/// A complete run: who gets what, and the status, which follows from that.
struct MatchSet {
    Status status = Status::success;
    Matches matches;
    bool operator==(MatchSet const&) const = default;
};

struct Executions {
    std::string verdict; // "violated", "safe", "vacuous"
    bool deadlock = false;
    bool fault = false;
    /// Receive -> the sends that it gets in some complete run, both in the order of the program.
    std::vector<std::pair<std::string, std::vector<std::string>>> match_pairs;
    std::vector<MatchSet> match_sets; // ascending by the sends, in the order of the program
    bool operator==(Executions const&) const = default;
};

struct ExpectedResults {
    std::vector<TraceEnd> traces;
    std::optional<Executions> executions; // none: the program does not obey D1 to D6
    bool operator==(ExpectedResults const&) const = default;
};

/// By the reference machine. Throws LimitReached.
std::vector<TraceEnd> trace_ends(IndexedProgram const& code, Buffering buffering);

/// By exploration. None: there are more match sets than that, or it takes more than a million machine steps. Throws
/// LimitReached.
std::optional<Executions> executions(IndexedProgram const& code, Buffering buffering,
                                     std::size_t most_match_sets = SIZE_MAX);

/// Both. Throws LimitReached; std::logic_error if the exploration did not end.
ExpectedResults expected(IndexedProgram const& code, Buffering buffering);

} // namespace matchpoint::suite
