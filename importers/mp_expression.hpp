// Expressions of MP traces: in prefix form, as in SMT-LIB.
//
//   `or (= a 0) (= b 1)`     the outermost operator may have no brackets of its own
//   `(and a b c)`            `and`, `or`, `+`, `-` and `*` take any number of operands, and become nested ones with two
#pragma once

#include "importers/scanner.hpp"
#include "programs/expression.hpp"

namespace matchpoint::importers {

/// The expression that comes next, up to a `,` or `)` that is not its own. Faults are those of the line. No recursion.
draft::Expression read_mp_expression(Scanner& line);

/// A variable: it is not a number, truth value or operator. Fails if that is not what comes next.
std::string_view read_mp_variable(Scanner& line);

} // namespace matchpoint::importers
