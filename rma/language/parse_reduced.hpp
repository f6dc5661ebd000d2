// Parses reduced programs: what `rma reduce` prints, and what other people's reductions print (docs/rma.md, "The
// reduced language").
//
//   Source const source("reduced", text);
//   Expected<reduced::Program, Diagnostics> const program = parse_reduced(source);
//   if (!program) std::cerr << render(program.error(), source);
//
// The language is more generous than that of the programs: every process may use every variable.
#pragma once

#include "base/diagnostics.hpp"
#include "base/expected.hpp"
#include "rma/language/reduced_program.hpp"

namespace matchpoint::rma {

/// The program, or the first thing that is wrong with it. The diagnostic's rule is "syntax", "RS1" (names are unique),
/// "RS2" (names are declared), "RS4" (locations), "RS5" (no `goto` crosses the border of an `atomic`), "RS6" (sorts),
/// "S4" (operators have their number of operands), or "limit". Time: n log n.
Expected<reduced::Program, Diagnostics> parse_reduced(Source const& source);

} // namespace matchpoint::rma
