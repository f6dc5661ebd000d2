// `matchpoint validate --rma`: reductions of programs with remote memory access.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/commands/validate_options.hpp"
#include "cli/exit_code.hpp"

namespace matchpoint::cli {

/// An option that excludes --rma; empty if there is none.
std::string contradiction_of_rma(ValidateOptions const& options);

/// `corpus` are its files. Ctrl-C has to interrupt questions (base::interruption) meanwhile.
ExitCode validate_rma(ValidateOptions const& options, std::vector<std::string> corpus, Terminal& terminal);

} // namespace matchpoint::cli
