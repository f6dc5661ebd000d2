// The folder of `check --certificate`.
#pragma once

#include "cli/cli.hpp"
#include "cli/executions.hpp"
#include "smt_machine/check.hpp"

namespace matchpoint::cli {

/// For a verdict of safe or vacuous the whole folder; what stands against it is said. `witnesses` is the program with the
/// traces that the check found.
ExitCode write_certificate(Prepared const& subject, CheckOptions const& options, CheckResult const& result,
                           std::string const& witnesses, std::string const& folder, Terminal& terminal);

} // namespace matchpoint::cli
