// `and`, `or` and `=>` of which only one operand is known.
#pragma once

#include "base/value.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::matching {

/// The value that one operand gives the operation, whatever the other operand is; bot if neither does. An operand that
/// is not known is bot. The caller has to know that the other operand cannot divide by zero, or that it does not
/// matter.
inline Value short_circuit(Op op, Value const& left, Value const& right) {
    if (op == Op::and_ && (left.is_false() || right.is_false())) return Value::boolean(false);
    if ((op == Op::or_ && (left.is_true() || right.is_true())) ||
        (op == Op::implies && (left.is_false() || right.is_true())))
        return Value::boolean(true);
    return {};
}

} // namespace matchpoint::matching
