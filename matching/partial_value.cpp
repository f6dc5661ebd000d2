#include "matching/partial_value.hpp"

#include <algorithm>

#include "base/overloaded.hpp"
#include "grammar/fold.hpp"
#include "grammar/operators.hpp"
#include "machine/operation.hpp"

namespace matchpoint::matching {

namespace {

Value kleene(Connective const& connective, std::span<Value const> operands) {
    PerOperand<std::optional<bool>> known;
    for (Value const& v : operands) known.push_back(v.is_boolean() ? std::optional(v.is_true()) : std::nullopt);
    auto const holds = connective.of(known);
    return holds ? Value::boolean(*holds) : Value();
}

} // namespace

Value partial_value(Op op, std::span<Value const> operands) {
    if (std::none_of(operands.begin(), operands.end(), [](Value const& v) { return v.is_bot(); })) {
        auto result = apply(op, operands);
        auto* const v = std::get_if<Value>(&result);
        return v == nullptr ? Value() : std::move(*v);
    }
    return std::visit(overloaded{
                          [](Arithmetic) { return Value(); },
                          [](Relation const&) { return Value(); },
                          [&](Connective const& connective) { return kleene(connective, operands); },
                          [&](Choice) {
                              Value const& c = operands.front();
                              if (c.is_bot()) return operands[1] == operands[2] ? operands[1] : Value();
                              return c.is_boolean() ? operands[Choice::operand(c.is_true())] : Value();
                          },
                      },
                      row(op).meaning);
}

} // namespace matchpoint::matching
