// The function op(v_l, v_r) of BINARY OPERATION, and the values of other operators.
#pragma once

#include <span>
#include <variant>

#include "machine/reason.hpp"

namespace matchpoint::machine {

/// A value, or why it does not exist: an operand of the wrong sort (checked first) or a zero divisor.
using OperationResult = std::variant<Value, Reason>;

/// `div` and `mod` are SMT-LIB's: for a divisor d, n = d * (div n d) + (mod n d) and 0 <= (mod n d) < |d|. Throws
/// LimitReached.
OperationResult apply(Op op, Value const& v_l, Value const& v_r);
/// The same, for an operator with one operand.
OperationResult apply(Op op, Value const& v);
/// `operands`: as many as the operator has. One that the machine does not evaluate may be anything.
OperationResult apply(Op op, std::span<Value const> operands);
/// Whether an operand that the machine evaluates has no value: it is bot.
bool lacks_operand(Op op, std::span<Value const> operands);

} // namespace matchpoint::machine
