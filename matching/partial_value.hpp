// The value of an operation if only some operands are known.
#pragma once

#include <span>

#include "base/value.hpp"
#include "grammar/op.hpp"

namespace matchpoint::matching {

/// An operand that is not known is bot. Bot if the value depends on such an operand, or does not exist. A connective
/// can have a value without some operands (Kleene), and a choice without its condition: the caller has to know that
/// they cannot divide by zero, or that it does not matter.
Value partial_value(Op op, std::span<Value const> operands);

} // namespace matchpoint::matching
