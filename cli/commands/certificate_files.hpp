// The folder of `check --certificate`.
#pragma once

#include "check/check.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "matching/prepared.hpp"

namespace matchpoint::cli {

/// Writes the whole folder for a verdict of safe or vacuous, or complains. `witnesses` is the program with the traces
/// that the check found.
ExitCode write_certificate(Prepared const& subject, CheckOptions const& options, CheckResult const& result,
                           std::string const& witnesses, std::string const& folder, Terminal& terminal);

} // namespace matchpoint::cli
