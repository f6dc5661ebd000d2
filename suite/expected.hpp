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
    std::optional<std::string> location; // of the entry; none if the trace has ended
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

/// Receive -> the sends that it gets, both in program order.
using MatchPairs = std::vector<std::pair<std::string, std::vector<std::string>>>;

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
    MatchPairs match_pairs;           // of complete runs
    std::vector<MatchSet> match_sets; // sorted by their sends' numbers, in program order
    bool operator==(Executions const&) const = default;
};

/// Which write a command reads, of a shared variable.
struct Read {
    std::string variable;
    std::optional<std::string> from; // the command that wrote it; none if it has its initial value
    bool operator==(Read const&) const = default;
};
/// A command -> what it reads; without commands that read nothing, and in program order.
using Reads = std::vector<std::pair<std::string, std::vector<Read>>>;

/// What complete runs of a program with shared variables come to. Matches and reads determine the status.
struct SharedOutcome {
    Status status = Status::success;
    Matches matches;
    Reads reads;
    bool operator==(SharedOutcome const&) const = default;
};

/// For a program with shared variables (docs/shared_memory.md): executions end where s becomes infeasible.
struct SharedExecutions {
    std::string verdict; // "violated", "safe", "vacuous"
    std::string verdict_of_complete_runs;
    bool deadlock = false;
    bool fault = false;
    bool data_race = false;
    std::optional<std::uint32_t> switches; // the fewest up to a failure; none if no execution fails
    MatchPairs match_pairs;                // of complete runs
    MatchPairs match_pairs_of_executions;  // of all; an execution that stops early may have others
    std::vector<SharedOutcome> outcomes;   // of complete runs, each once, sorted by matches, then by reads
    bool operator==(SharedExecutions const&) const = default;
};

/// Of executions there are those without or those with shared variables, or neither: the program violates D1 to D6.
struct ExpectedResults {
    std::vector<TraceEnd> traces;
    std::optional<Executions> executions;
    std::optional<SharedExecutions> shared_executions;
    bool operator==(ExpectedResults const&) const = default;
};

/// By the reference machine. Throws LimitReached.
std::vector<TraceEnd> trace_ends(IndexedProgram const& code, Buffering buffering);

/// By exploration. None if there are more than `most_match_sets`, or if it takes more than a million machine steps.
/// Throws LimitReached.
std::optional<Executions> executions(IndexedProgram const& code, Buffering buffering,
                                     std::size_t most_match_sets = SIZE_MAX);

/// The same of a program with shared variables, by visiting every class of executions (executions/shared/classes.hpp).
/// None if complete runs have more than `most_outcomes` outcomes, or if it takes too many machine steps. Throws
/// LimitReached.
std::optional<SharedExecutions> shared_executions(IndexedProgram const& code, Buffering buffering,
                                                  std::size_t most_outcomes = SIZE_MAX);

/// Traces and executions. Throws LimitReached, and std::logic_error if the exploration did not end.
ExpectedResults expected(IndexedProgram const& code, Buffering buffering);

} // namespace matchpoint::suite
