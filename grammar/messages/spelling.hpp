// Misspelt variables: a program reads one that it never writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// "did you mean `balance`?" for a variable that the program reads and writes nowhere. `has_value`: variable -> whether
/// it may have a value at that place. Linear in the size of the program.
std::optional<std::string> hint_for_unwritten(Program const& program, Variable x, std::vector<bool> const& has_value);

} // namespace matchpoint::grammar
