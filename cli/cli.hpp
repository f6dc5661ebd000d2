// The commands of the binary: each has a file of its own, and no semantics.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/check.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "encode/registry.hpp"
#include "grammar/diagnostics.hpp"
#include "grammar/expected.hpp"
#include "grammar/parse.hpp"
#include "machine/state.hpp"

namespace matchpoint::cli {

enum class Format { text, json };

struct RunOptions {
    std::string file;
    std::optional<std::size_t> trace; // from 1; none: all
    Buffering buffering = Buffering::infinite;
    bool steps = false;
    Format format = Format::text;
};

struct StepOptions {
    std::string file;
    std::optional<std::size_t> trace; // from 1; none: the first one, if there is one
    bool choose = false;              // follow none
    Buffering buffering = Buffering::infinite;
    std::string script; // empty: none
    bool echo = false;
};

struct LintOptions {
    std::string file;
    bool strict = false;
    Format format = Format::text;
};

struct FmtOptions {
    std::string file;
    bool in_place = false;
};

struct SmtOptions {
    std::string file;
    std::optional<std::size_t> trace; // from 1; none: all
    Buffering buffering = Buffering::infinite;
    bool comb = false;
    bool solve = false;
    bool check = false;
    std::string solver = "z3";
    std::optional<double> timeout; // seconds
    std::string output;            // empty: standard output
};

struct ExploreOptions {
    std::string file;
    Buffering buffering = Buffering::infinite;
    std::optional<std::uint64_t> limit; // executions
    bool verdicts = false;
    Format format = Format::text;
};

struct PairsOptions {
    std::string file;
    Buffering buffering = Buffering::infinite;
    PairsMethod method = PairsMethod::tight;
    std::optional<std::uint64_t> limit; // machine steps, for the exact pairs
    bool why = false;
    Format format = Format::text;
};

struct EncodeOptions {
    std::string file;
    Buffering buffering = Buffering::infinite;
    PairsMethod pairs = PairsMethod::tight;
    Encoder const* encoding = find_encoder("exact");
    Asked asked = Asked::failure;
    bool no_order = false;
    std::optional<std::uint64_t> limit; // machine steps, for the exact pairs
    std::string output;                 // empty: standard output
};

enum class Picture { text, svg, html, dot, shiviz, perfetto, itf };

struct DrawOptions {
    std::string file;
    std::optional<std::size_t> trace; // from 1; none: all, or the first where there is room for one
    Buffering buffering = Buffering::infinite;
    std::optional<Picture> format; // none: as the output's name ends
    std::string output;            // empty: standard output
};

struct GenOptions {
    bool list = false;
    std::string family; // empty: none
    std::map<std::size_t, std::uint64_t> numbers;
    std::vector<std::string> variants;                       // "--safe", "--safe sums"; one at most
    std::map<std::string, std::uint64_t, std::less<>> knobs; // "--orphans" -> percent
    std::string file;                                        // of a formula
    std::optional<std::uint64_t> seed;
    bool trace = false;
    std::string output; // empty: standard output
};

struct CheckCommandOptions {
    std::vector<std::string> files;
    std::vector<Buffering> bufferings{Buffering::infinite};
    EngineChoice engine = EngineChoice::automatic;
    bool refine = false;
    std::optional<std::string> solver;   // none: z3
    std::optional<double> timeout;       // seconds, for each program and buffering
    std::optional<std::uint64_t> limit;  // machine steps of explorations
    std::optional<std::uint64_t> memory; // MiB
    std::string output;                  // witnesses; empty: nowhere
    std::string certificate;             // a folder; empty: none
    Format format = Format::text;
};

struct ValidateOptions {
    std::vector<std::string> encoder; // the command, or the name of a built-in one
    std::vector<Buffering> bufferings{Buffering::infinite, Buffering::zero};
    bool traces = false;
    unsigned level = 6;
    std::uint64_t cases = 2000;
    std::uint64_t seed = 1;
    std::vector<std::string> corpus;
    std::pair<std::uint64_t, std::uint64_t> shard{1, 1}; // I of N, from 1
    unsigned jobs = 1;
    std::optional<double> time;  // seconds, for all of it
    double subject_time = 10;    // seconds, for one case
    std::uint64_t memory = 1024; // MiB
    std::size_t findings = 8;
    std::optional<std::string> solver; // none: z3
    std::string output = "findings";   // `-`: nowhere
    std::string state;                 // empty: none
    std::string junit;                 // empty: none
    Format format = Format::text;
};

struct SuiteOptions {
    std::string folder;
};

ExitCode run_command(RunOptions const& options, Terminal& terminal);
ExitCode step_command(StepOptions const& options, Terminal& terminal);
ExitCode lint_command(LintOptions const& options, Terminal& terminal);
ExitCode fmt_command(FmtOptions const& options, Terminal& terminal);
ExitCode smt_command(SmtOptions const& options, Terminal& terminal);
ExitCode explore_command(ExploreOptions const& options, Terminal& terminal);
ExitCode pairs_command(PairsOptions const& options, Terminal& terminal);
ExitCode encode_command(EncodeOptions const& options, Terminal& terminal);
ExitCode draw_command(DrawOptions const& options, Terminal& terminal);
ExitCode validate_command(ValidateOptions const& options, Terminal& terminal);
ExitCode check_command(CheckCommandOptions const& options, Terminal& terminal);
ExitCode gen_command(GenOptions const& options, Terminal& terminal);
ExitCode suite_command(SuiteOptions const& options, Terminal& terminal);
ExitCode oracle_command(Terminal& terminal);

/// What all of them say on standard error: `matchpoint: error: ...`.
void complain(Terminal& terminal, std::string_view message);

/// The exit code for an input with these errors: 1 if it is only beyond a limit of ours, else 2.
ExitCode refused(Diagnostics const& diagnostics);

/// Diagnostics on standard error.
void show(Terminal& terminal, Diagnostics const& diagnostics, Source const& source);

/// The whole of main but for the exceptions.
int cli_main(int argc, char const* const* argv);

} // namespace matchpoint::cli
