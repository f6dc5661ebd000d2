// [[e]]M: the value of an expression.
#pragma once

#include <optional>
#include <span>

#include "grammar/fold.hpp"
#include "machine/operation.hpp"
#include "rma/machine/state.hpp"

namespace matchpoint::rma {

/// None if a divisor is zero, which is a fault. The same operands are evaluated as by the machine (docs/semantics.md).
/// Throws LimitReached.
std::optional<Value> evaluate(Graph const& graph, State const& state, Expression e);

/// The same of any program with nodes and values that obeys RS6; `value_of` gives the value of a variable.
template <typename Program, typename ValueOf>
std::optional<Value> evaluate_nodes(Program const& p, Expression e, ValueOf const& value_of) {
    // bot: a divisor is zero.
    auto const operation = [](Op op, std::span<Value const> operands, std::uint32_t) {
        if (machine::lacks_operand(op, operands)) return Value();
        auto result = machine::apply(op, operands);
        Value* const v = std::get_if<Value>(&result); // RS6: no operand has the wrong sort
        return v == nullptr ? Value() : std::move(*v);
    };
    Value v = grammar::fold<Value>(p, e,
                                   grammar::Algebra{[](Value const& constant) { return constant; },
                                                    [&](Variable x, std::uint32_t) { return Value(value_of(x)); },
                                                    operation});
    return v.is_bot() ? std::nullopt : std::optional(std::move(v));
}

} // namespace matchpoint::rma
