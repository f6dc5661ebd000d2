// What `matchpoint check` is asked for, and which options do not go together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/check.hpp"
#include "record/provenance.hpp"

namespace matchpoint::cli {

enum class CheckOutput { text, json, sarif };

/// A word of --buffering.
struct CheckBuffering {
    std::vector<Buffering> bufferings{Buffering::infinite};
    check::Refusals refusals = check::Refusals::none;
};

struct CheckCommandOptions {
    std::vector<std::string> files;
    std::optional<CheckBuffering> buffering; // default: buffering_for()
    Runs runs = Runs::executions;
    EngineChoice engine = EngineChoice::automatic;
    std::vector<std::string> without; // steps of the plan
    bool refine = false;
    bool switches = false;
    bool deterministic = false;
    std::string outcomes;                // variables; all, if it is empty
    std::string pairs;                   // a file; empty if there is none
    std::optional<std::uint64_t> bound;  // context switches
    std::optional<std::uint64_t> window; // events; 0: no windows
    std::vector<Model> models;           // default: all executions
    std::optional<std::size_t> trace;    // from 1: what the models predict from
    bool statistics = false;
    bool names = false;
    std::optional<std::string> solver;   // default: z3
    std::optional<double> timeout;       // seconds, for each program and buffering
    std::optional<std::uint64_t> limit;  // machine steps of explorations
    std::optional<std::uint64_t> memory; // MiB
    std::string output;                  // witnesses; empty if they are not written
    std::string certificate;             // a folder; empty if none is wanted
    CheckOutput format = CheckOutput::text;
};

/// What is wrong with these options; empty if nothing.
std::string contradiction(CheckCommandOptions const& options);

/// What a program is checked under: what was asked for; `any` for a recording of MPI, unless some option does not go
/// with it, and both of the others if ranks have several threads; otherwise infinite buffering.
CheckBuffering buffering_for(CheckCommandOptions const& options, record::Provenance const& from);

} // namespace matchpoint::cli
