// [[e]]M: the value of an expression.
#pragma once

#include <optional>

#include <boost/container/small_vector.hpp>

#include "machine/operation.hpp"
#include "rma/machine/state.hpp"

namespace matchpoint::rma {

/// None if a divisor is zero, which is a fault. Both operands of every operator are evaluated (docs/semantics.md).
/// Throws LimitReached.
std::optional<Value> evaluate(Graph const& graph, State const& state, Expression e);

/// The same of any program with nodes and values that obeys RS6; `value_of` gives the value of a variable.
template <typename Program, typename ValueOf>
std::optional<Value> evaluate_nodes(Program const& p, Expression e, ValueOf const& value_of) {
    boost::container::small_vector<Value, 16> stack;
    for (std::uint32_t n = e.first; n < e.first + e.size; ++n) {
        Node const node = p.nodes[n];
        switch (node.kind) {
        case Node::Kind::value: stack.push_back(p.values[node.payload]); break;
        case Node::Kind::variable: stack.push_back(value_of(Variable{node.payload})); break;
        case Node::Kind::operation: {
            Value const right = std::move(stack.back());
            if (arity(node.op) == 1) {
                stack.back() = Value::boolean(right.is_false()); // RS6: a Bool
                break;
            }
            stack.pop_back();
            auto result = machine::apply(node.op, stack.back(), right);
            Value* const v = std::get_if<Value>(&result);
            if (v == nullptr) return std::nullopt; // RS6: it is no operand of the wrong sort
            stack.back() = std::move(*v);
            break;
        }
        }
    }
    return std::move(stack.back());
}

} // namespace matchpoint::rma
