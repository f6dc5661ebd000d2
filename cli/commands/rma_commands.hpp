// The commands of `matchpoint rma`: each is declared and run in its own file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/program_input.hpp"
#include "rma/language/program.hpp"
#include "rma/search/check.hpp"
#include "rma/search/reduced.hpp"

namespace matchpoint::cli {

inline constexpr auto rma_file_help = "The program, a file of the language of docs/rma.md; `-` is standard input";

/// Complains about a program in the reduced language, which only some commands read (`bad_input`).
ExitCode refuse_reduced(Source const& source, Terminal& terminal);

/// Checks a program in the reduced language as such.
struct ReducedCheckOptions {
    rma::CheckOptions check;
    Format format = Format::text;
};
ExitCode check_reduced_command(Source const& source, ReducedCheckOptions const& options, Terminal& terminal);

struct RmaInput {
    Source source;
    rma::Program program;
};

/// Complains if a program has remote atomics, so that it has no Horn clauses and no certificate. Whether it does.
bool refuse_atomics(RmaInput const& input, Terminal& terminal);

/// A program of the language of docs/rma.md, or the exit code after showing why there is none.
Expected<RmaInput, ExitCode> read_rma(std::string const& file, Terminal& terminal, ParseOptions const& options = {});
Expected<RmaInput, ExitCode> read_rma(Source source, Terminal& terminal, ParseOptions const& options = {});

/// What a schedule does. Complains about words that mean nothing (`bad_input`), and about the first one that does not
/// apply (`error`): the run is what happens before it.
ExitCode follow_schedule(rma::Machine const& machine, std::string const& words, std::vector<rma::Transition>& run,
                         Terminal& terminal);

/// The words of a list: "R2,R3".
std::vector<std::string> parts_of_list(std::string const& list);
/// --literal of the reduced program.
Option literal_option(rma::Literal& literal);

inline constexpr auto sc_help = "Sequentially consistent: remote statements happen at once, and flush does nothing";

// --values and --pending of commands that search.
inline constexpr auto values_help =
    "Leave out steps to integers outside of this range. If there are any, and nothing goes wrong, the answer is "
    "`unknown`. Default: no range";
inline constexpr auto pending_help = "Search with at most K pending operations of each statement. Default: 3";
/// "-3..7". None, after a complaint, if it is not a range.
std::optional<rma::ValueRange> range_of_values(std::string const& text, Terminal& terminal);

/// The program with an invariant for each line of a file of predicates, so that they are parsed like those of programs.
Expected<rma::Program, ExitCode> with_predicates(RmaInput const& input, std::string const& file, Terminal& terminal);

/// What a command does once it was given.
using RmaAction = std::function<ExitCode(Terminal&)>;
RmaAction add_rma_run(Command& rma);
RmaAction add_rma_abstract(Command& rma);
RmaAction add_rma_check(Command& rma);
RmaAction add_rma_chc(Command& rma);
RmaAction add_rma_predicates(Command& rma);
RmaAction add_rma_prove(Command& rma);
RmaAction add_rma_draw(Command& rma);
RmaAction add_rma_flushes(Command& rma);
RmaAction add_rma_step(Command& rma);

} // namespace matchpoint::cli
