// Parses `.rma` files, and checks the static rules RS1 to RS6 (docs/rma.md).
//
//   Source const source("figure2.rma", text);
//   Expected<Program, Diagnostics> const program = rma::parse_rma(source);
//   if (!program) std::cerr << render(program.error(), source);
//   std::cout << rma::print(*program);
//
// program.hpp has the syntax tree, print.hpp the inverse of parse_rma().
#pragma once

#include "base/diagnostics.hpp"
#include "base/expected.hpp"
#include "grammar/parse.hpp"
#include "rma/language/program.hpp"

namespace matchpoint::rma {

/// The program of a file, or what is wrong with it: its first syntax error, or else all violations of the static rules,
/// in the order of the text and at most max_diagnostics. The diagnostics' rules are "syntax", "RS1" ... "RS6", "S4"
/// (operators have their number of operands), and "limit" for an integer that is too long. Time: linear in the text.
Expected<Program, Diagnostics> parse_rma(Source const& source, ParseOptions const& options = {});

} // namespace matchpoint::rma
