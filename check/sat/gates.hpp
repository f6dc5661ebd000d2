// The clauses of an operation on booleans.
#pragma once

#include <optional>
#include <vector>

#include "grammar/fold.hpp"

namespace matchpoint::check {

/// If the operands have the values that are known, the operation has this result.
struct GateClause {
    PerOperand<std::optional<bool>> known; // none if the result does not depend on this operand
    bool result;
};

/// The clauses that define an operation: one for each smallest choice of operands that decides the result, the longest
/// ones first. Empty if its operands are not booleans.
std::vector<GateClause> const& gate(Op op);

} // namespace matchpoint::check
