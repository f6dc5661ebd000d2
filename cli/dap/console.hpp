// The debug console: a line is an expression, or a command of `matchpoint step`.
#pragma once

#include "cli/dap/debuggee.hpp"

namespace matchpoint::cli {

/// Whether a line is an expression or a queue. Anything else is a command.
bool is_expression(std::string const& line, IndexedProgram const& code);

/// Refuses the commands of `matchpoint step` that the client has buttons for. Throws Refused.
void must_be_for_console(std::string const& line);

/// What can complete a line up to its end. The response's `targets`; `first_column` is the number of the first column.
Incoming completions(Repl const& repl, std::string const& line, std::size_t first_column);

/// The first `units` UTF-16 code units of a text.
std::string beginning(std::string const& text, std::size_t units);

} // namespace matchpoint::cli
