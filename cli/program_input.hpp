// Reading a program that obeys D1 to D6, with complaints.
#pragma once

#include <memory>
#include <variant>

#include "cli/cli.hpp"
#include "matching/prepared.hpp"

namespace matchpoint::cli {

/// The program, or the exit code, after the complaints.
std::variant<std::unique_ptr<Prepared>, ExitCode> read_prepared(std::string const& file, Terminal& terminal);

} // namespace matchpoint::cli
