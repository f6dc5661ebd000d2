// What `matchpoint threads` found, as a file of JSON or SARIF (docs/formats.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/threads_runs.hpp"
#include "record/threads/search.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

/// Somebody in the program. What a thread does there is in words.
struct ThreadPlace {
    std::optional<std::uint32_t> thread;
    std::string file; // empty if it is not known
    std::uint32_t line = 0;
    std::string text;
};

struct ThreadsFinding {
    enum class Kind : std::uint8_t { failure, deadlock, data_race, unconfirmed };
    Kind kind = Kind::failure;
    std::string text;
    std::vector<std::uint64_t> runs = {}; // that showed it
    std::vector<ThreadPlace> places = {};
    std::string file = {}; // with the run; empty if none was written
};

/// The assertion that a run failed at, or where its threads wait for each other.
std::vector<ThreadPlace> places_of(record::threads::ThreadRecording const& run, record::threads::RunEnd end);
std::vector<ThreadPlace> places_of(record::threads::FoundRace const& race);

/// What `verify` found, and what it says of the rest.
struct ThreadsFindings {
    std::vector<ThreadsFinding> all;
    std::size_t paths = 0, paths_done = 0;
    std::uint64_t runs = 0;
    bool is_complete = false;
    std::vector<std::string> left; // what keeps it from being complete
    std::string last;              // line of the report
};

/// Writes the file of --findings, if one is wanted. `code` is that of the command; returned is what it becomes.
ExitCode write_findings(ThreadsFindings const& findings, MpiOptions const& options, ExitCode code, Terminal& terminal);

} // namespace matchpoint::cli
