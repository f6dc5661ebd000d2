#include "matching/partial_value.hpp"

#include <algorithm>

#include "grammar/fold.hpp"
#include "grammar/operators.hpp"
#include "machine/operation.hpp"

namespace matchpoint::matching {

Value partial_value(Op op, std::span<Value const> operands) {
    if (std::none_of(operands.begin(), operands.end(), [](Value const& v) { return v.is_bot(); })) {
        auto result = apply(op, operands);
        auto* const v = std::get_if<Value>(&result);
        return v == nullptr ? Value() : std::move(*v);
    }
    auto const* const connective = std::get_if<Connective>(&row(op).meaning);
    if (connective == nullptr) return {};
    PerOperand<std::optional<bool>> known;
    for (Value const& v : operands) known.push_back(v.is_boolean() ? std::optional(v.is_true()) : std::nullopt);
    auto const holds = connective->of(known);
    return holds ? Value::boolean(*holds) : Value();
}

} // namespace matchpoint::matching
