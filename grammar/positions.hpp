// Where the parts of a command stand in the source. Only messages want to know, so the text is read again for them
// instead of keeping an offset for every atom.
#pragma once

#include <vector>

#include "grammar/ast.hpp"
#include "grammar/static_rules.hpp"

namespace matchpoint::grammar {

/// The n-th atom from `offset` on, brackets and comments not counted: in `[05 (rcvi R5 0 B)]`, from its location on,
/// atom 2 is R5. Empty, at the end of the text, if there are not so many.
Token atom_at(Source const& source, Offset offset, std::size_t n);

/// For each node of a command's expression, in post-order, the atom that it is (of an operation its operator).
std::vector<Token> expression_atoms(Source const& source, LocatedCommand const& command);

} // namespace matchpoint::grammar
