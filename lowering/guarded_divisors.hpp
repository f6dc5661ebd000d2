// Divisors under a condition as divisors that are always evaluated: in a branch of `ite`, `(div n d)` becomes
// `(div n (ite p d 1))`, where p says that the machine gets there (docs/lowering.md). Values and faults stay the same.
#pragma once

#include <optional>

#include "grammar/ast.hpp"

namespace matchpoint::lowering {

/// The expression, or a new one at the end of the nodes if it has a conditional divisor. It grows by the conditions
/// around each of these, which can double it with each one. None if it would have more than a million nodes.
std::optional<Expression> with_guarded_divisors(Ctp& ctp, Expression e);

} // namespace matchpoint::lowering
