// Match pairs that a user gives, in a file as `matchpoint pairs` prints them, in text or in JSON:
//
//   R01: S11, S21
//   R02: S21
//
// Commands that take `--pairs FILE` read it here. Any set will do (Theorem 5): with fewer pairs, fewer runs count.
#pragma once

#include <string>

#include "base/expected.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::cli {

/// The pairs in a file, or the exit code after saying what is wrong with it: it cannot be read, is neither such a list
/// nor such JSON, or has a pair whose receive or send the program does not have, or that goes to another endpoint. A
/// receive that it does not name gets no message.
Expected<MatchPairs, ExitCode> read_pairs(std::string const& file, MessageIndex const& messages, Terminal& terminal);

} // namespace matchpoint::cli
