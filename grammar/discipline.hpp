// Rules D1 to D6 (docs/language.md), which match pairs, exploration and encodings need. Running a single trace only
// warns.
#pragma once

#include "base/diagnostics.hpp"
#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// The violations of rules D1 to D6 in the order of the text, at most `limit`. Linear in the size of the program.
/// Without the source they have no position.
Diagnostics check_discipline(Program const& program, Source const* source = nullptr,
                             Severity severity = Severity::warning, std::size_t limit = max_diagnostics);

/// Endpoint -> whether the messages to it are booleans (rule D6), for a program that obeys the rules. Endpoints whose
/// sort is not determined count as integer. Linear in the size of the program.
std::vector<bool> endpoints_of_booleans(Program const& program);

} // namespace matchpoint::grammar
