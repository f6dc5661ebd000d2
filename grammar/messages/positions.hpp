// The positions of a command's parts in the source. Only messages need them, so we read the text again instead of
// keeping an offset for every atom.
#pragma once

#include <vector>

#include "grammar/ast.hpp"
#include "grammar/static_rules.hpp"

namespace matchpoint::grammar {

/// The n-th atom from `offset` on, not counting brackets and comments: in `[05 (rcvi R5 0 B)]`, from the location on,
/// atom 2 is R5. If there are fewer atoms, an empty token at the end of the text.
Token atom_at(Source const& source, Offset offset, std::size_t n);

/// The variable of a receive's selector `(source y)` or `(tagged z)`, which it has; `kind` is its name.
Token selected_variable(Source const& source, Offset offset, std::string_view kind);

/// The bracket that closes what `inside` is inside of, such as the command of a location. The end of the text if there
/// is none.
Offset closing_bracket(Source const& source, Offset inside);

/// For each node of a command's expression, in post-order, its atom (for an operation, the operator). For a guarded
/// assignment, expression 0 is the guard, and expression n the right-hand side of its n-th assignment.
std::vector<Token> expression_atoms(Source const& source, LocatedCommand const& command, std::size_t n = 0);

/// The variable of a guarded assignment's n-th assignment, counted from 1.
Token assigned_variable(Source const& source, LocatedCommand const& command, std::size_t n);

} // namespace matchpoint::grammar
