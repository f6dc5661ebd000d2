// One walk over an expression, operands first. An operation sees exactly its operands, as many as its operator has, in
// the order of the text. So no walk keeps a stack of its own, which an operator with another number of operands would
// shift.
//
//   Value const v = fold<Value>(program.ctp, e, Algebra{
//       [&](Value const& constant) { return constant; },
//       [&](Variable x, std::uint32_t node) { return h[x.index]; },
//       [&](Op op, std::span<Value> operands, std::uint32_t node) { return computed(op, operands); }});
//
// `node` is the node's index in Ctp::nodes. The walk does not recurse: an expression of a million nested operators
// needs a million entries of a vector. Linear in the size of the expression. operand_roots() is for walks that begin at
// the root.
#pragma once

#include <iterator>
#include <span>

#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// What an expression becomes: what a constant, a variable and an operation become.
template <typename OnValue, typename OnVariable, typename OnOperation>
struct Algebra {
    OnValue value;
    OnVariable variable;
    OnOperation operation;
};

template <typename OnValue, typename OnVariable, typename OnOperation>
Algebra(OnValue, OnVariable, OnOperation) -> Algebra<OnValue, OnVariable, OnOperation>;

/// `tree`: a Ctp, or another syntax tree with the same nodes and values. The operands belong to `operation`, which may
/// move from them.
template <typename T, typename Tree, typename OnValue, typename OnVariable, typename OnOperation>
T fold(Tree const& tree, Expression e, Algebra<OnValue, OnVariable, OnOperation> const& algebra) {
    boost::container::small_vector<T, 8> stack;
    for (std::uint32_t n = e.first; n <= e.root(); ++n) {
        Node const& node = tree.nodes[n];
        switch (node.kind) {
        case Node::Kind::value: stack.push_back(algebra.value(tree.values[node.payload])); break;
        case Node::Kind::variable: stack.push_back(algebra.variable(Variable{node.payload}, n)); break;
        case Node::Kind::operation: {
            auto const first = stack.end() - static_cast<std::ptrdiff_t>(arity(node.op));
            T result = algebra.operation(node.op, std::span<T>(first, stack.end()), n);
            *first = std::move(result);
            stack.erase(std::next(first), stack.end());
            break;
        }
        }
    }
    return std::move(stack.back());
}

/// One entry for each operand of an operation, in the order of the text.
template <typename T>
using PerOperand = boost::container::static_vector<T, most_operands>;

/// The roots of an operation's operands, for walks from the root down.
template <typename Tree>
PerOperand<std::uint32_t> operand_roots(Tree const& tree, std::uint32_t node) {
    PerOperand<std::uint32_t> roots(arity(tree.nodes[node].op), boost::container::default_init);
    std::uint32_t last = node - 1;
    for (std::size_t k = roots.size(); k-- > 0; last -= tree.nodes[last].size()) roots[k] = last;
    return roots;
}

/// The root of the part that tells an expression's sort: the expression itself, unless that has the sort of its last
/// operand.
template <typename Tree>
std::uint32_t sort_root(Tree const& tree, std::uint32_t root) {
    while (tree.nodes[root].kind == Node::Kind::operation && has_sort_of_last(tree.nodes[root].op)) --root;
    return root;
}

/// The expression with this root.
template <typename Tree>
Expression expression_at(Tree const& tree, std::uint32_t root) {
    std::uint32_t const size = tree.nodes[root].size();
    return {root + 1 - size, size};
}

} // namespace matchpoint::grammar
