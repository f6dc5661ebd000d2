// The binary `matchpoint`: cli_main() reads the command line and runs one command. Each command has a file in
// commands/, which declares its options (command_line.hpp) and prints what the other rooms find out; it holds no
// semantics.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"

namespace matchpoint::cli {

/// All of main, except for what it does about exceptions.
int cli_main(int argc, char const* const* argv);

/// What an error without a position is about, in brackets after `error` (docs/cli.md). One with a position has a
/// Diagnostic's rule there.
enum class ErrorKind : std::uint8_t { usage, file, trace, limit, solver, launcher, certificate, internal };

/// An error on standard error, as every command prints it: `matchpoint: error[usage]: ...`, and below it how to mend
/// it, hint by hint.
void complain(Terminal& terminal, std::string_view message, ErrorKind kind, std::vector<std::string> const& hints = {});
/// The same for what does not keep the command from its result: `matchpoint: warning[file]: ...`.
void warn(Terminal& terminal, std::string_view message, ErrorKind kind);

// Parts of the help of several commands.

inline constexpr std::string_view exit_codes_help = R"(Exit codes:
  0   holds: every trace a success, the program safe, nothing wrong
  1   unknown, or a limit reached
  2   usage, or an input that cannot be read or breaks a rule
  3   a solver is missing or failed
  10  a failure: an assertion fails
  11  deadlock: nothing fails, but some execution gets stuck
  12  infeasible: an assumption does not hold, or no run completes
  13  error: a trace does not complete, or some execution has a fault
  20  a solver and the machine disagree
  70  an internal error (a bug in matchpoint)
  74  the output could not be written
With several traces, the worst one decides. From the best to the worst, they are
success, failure, infeasible and error.
With several programs, the first of these codes that occurs decides:
20, 70, 74, 10, 2, 3, 1, 11, 13, 12, 0.
)";

inline constexpr std::string_view interrupt_help =
    R"(Ctrl-C (SIGINT) ends the command and its solver at once, with none of the exit
codes below. Output printed so far stays.

)";

} // namespace matchpoint::cli
