// The options of `matchpoint validate`, which its files share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "executions/runs.hpp"
#include "executions/shared/causal_model.hpp"
#include "machine/state.hpp"

namespace matchpoint::cli {

/// Part `number` of `count` equal parts, counted from 1.
struct Shard {
    std::uint64_t number = 1;
    std::uint64_t count = 1;
};

struct ValidateOptions {
    std::vector<std::string> encoder; // the command, or the name of a built-in one
    std::optional<Runs> runs;         // default: complete ones; for programs with shared variables, executions
    std::vector<Buffering> bufferings{Buffering::infinite, Buffering::zero};
    bool traces = false;
    std::optional<unsigned> level; // default: 6; for programs with shared variables, 4
    std::uint64_t cases = 2000;
    std::uint64_t seed = 1;
    bool mpi = false;    // programs with selectors, modes and barriers, too
    bool mcapi = false;  // none of the corpus with these
    bool shared = false; // programs with shared variables, and no others
    bool hybrid = false; // these may have messages, too
    bool rma = false;    // programs with remote memory access, and no others; the command is a reduction
    std::optional<std::uint64_t> switches;
    std::optional<Model> model; // what is asked about is what it predicts from the trace of each program
    std::vector<std::string> corpus;
    Shard shard;
    bool skip_rules = false; // no programs for single rules before the small ones
    unsigned jobs = 1;
    std::optional<double> time; // seconds, for all of it
    double subject_time = 10;   // seconds, for one case
    unsigned memory = 1024;     // MiB
    std::size_t findings = 8;
    std::optional<std::string> solver; // default: z3
    std::string output = "findings";   // `-`: nowhere
    std::string state;                 // empty if none
    std::string junit;                 // empty if none
    bool verbose = false;              // the text has everything
    Format format = Format::text;
};

} // namespace matchpoint::cli
