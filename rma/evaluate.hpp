// [[e]]M: the value of an expression.
#pragma once

#include <optional>

#include "rma/state.hpp"

namespace matchpoint::rma {

/// None: a zero divisor, a fault. Both operands of every operator are evaluated (docs/semantics.md). Throws LimitReached.
std::optional<Value> evaluate(Graph const& graph, State const& state, Expression e);

} // namespace matchpoint::rma
