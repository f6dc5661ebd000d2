// The function op(v_l, v_r) of BINARY OPERATION, and of `not`.
#pragma once

#include <span>
#include <variant>

#include "machine/reason.hpp"

namespace matchpoint::machine {

/// The value, or why it does not exist: an operand of the wrong sort (checked first) or a zero divisor. `div` and `mod`
/// are SMT-LIB's: for a divisor d, n = d * (div n d) + (mod n d) and 0 <= (mod n d) < |d|. Throws LimitReached.
std::variant<Value, Reason> apply(Op op, Value const& v_l, Value const& v_r);
std::variant<Value, Reason> apply_not(Value const& v);
/// The same of any operator. `operands`: as many as it has.
std::variant<Value, Reason> apply(Op op, std::span<Value const> operands);

} // namespace matchpoint::machine
