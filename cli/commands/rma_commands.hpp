// The commands of `matchpoint rma`: each is declared and run in its own file.
#pragma once

#include <functional>
#include <string>

#include "cli/command_line.hpp"
#include "cli/program_input.hpp"
#include "rma/program.hpp"
#include "rma/reduced.hpp"

namespace matchpoint::cli {

inline constexpr auto rma_file_help = "The program, a file of the language of docs/rma.md; `-` is standard input";

struct RmaInput {
    Source source;
    rma::Program program;
};

/// A program, or the exit code after showing why there is none.
Expected<RmaInput, ExitCode> read_rma(std::string const& file, Terminal& terminal, ParseOptions const& options = {});

/// --literal of the reduced program.
Option literal_option(rma::Literal& literal);

/// What a command does once it was given.
using RmaAction = std::function<ExitCode(Terminal&)>;
RmaAction add_rma_run(Command& rma);
RmaAction add_rma_check(Command& rma);

} // namespace matchpoint::cli
