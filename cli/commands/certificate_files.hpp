// The folder of `check --certificate`.
#pragma once

#include "check/check.hpp"
#include "cli/cli.hpp"
#include "cli/program_input.hpp"
#include "report/replay.hpp"

namespace matchpoint::cli {

/// For a verdict of safe or vacuous the whole folder; what stands against it is said. `witnesses` is the program with the
/// traces that the check found.
ExitCode write_certificate(Prepared const& subject, CheckOptions const& options, CheckResult const& result,
                           std::string const& witnesses, std::string const& folder, Terminal& terminal);

} // namespace matchpoint::cli
