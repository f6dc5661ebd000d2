#include "rma/evaluate.hpp"

#include <boost/container/small_vector.hpp>

#include "machine/operation.hpp"

namespace matchpoint::rma {

namespace {

Value value_of(Graph const& graph, State const& state, Variable x) {
    VariableInfo const& info = graph.program()[x];
    if (info.kind != VariableInfo::Kind::place) return state.M[x.index];
    return Value::boolean(graph.stands_before(state.pc[info.process], info.at));
}

} // namespace

std::optional<Value> evaluate(Graph const& graph, State const& state, Expression e) {
    Program const& p = graph.program();
    boost::container::small_vector<Value, 16> stack;
    for (std::uint32_t n = e.first; n < e.first + e.size; ++n) {
        Node const node = p.nodes[n];
        switch (node.kind) {
        case Node::Kind::value: stack.push_back(p.values[node.payload]); break;
        case Node::Kind::variable: stack.push_back(value_of(graph, state, {node.payload})); break;
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
