// Misspelt variables: a program reads one that it never writes, or writes one that it never reads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.hpp"
#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// "did you mean `balance`?" for a variable that the program reads and writes nowhere. `has_value`: variable -> whether
/// it may have a value at that place. Linear in the size of the program.
std::optional<std::string> hint_for_unwritten(Program const& program, Variable x, std::vector<bool> const& has_value);

/// A warning, rule "unread", for each variable that is not shared, that the program assigns and never reads, and whose
/// name is nearly that of a shared variable. It is at the first assignment. Linear in the size of the program.
Diagnostics warn_of_unread_variables(Program const& program, Source const& source);

} // namespace matchpoint::grammar
