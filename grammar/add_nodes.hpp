// Adds an expression to a syntax tree, operands first (ast.hpp):
//
//   std::uint32_t const first = node_count(ctp);
//   add_variable(ctp, x);
//   add_value(ctp, Value::integer(1));
//   add_operation(ctp, Op::plus, first);
//   Expression const e = expression_since(ctp, first);
//
// `Tree` is a Ctp, or another syntax tree with the same nodes and values.
#pragma once

#include <utility>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

template <typename Tree>
std::uint32_t node_count(Tree const& tree) {
    return static_cast<std::uint32_t>(tree.nodes.size());
}

template <typename Tree>
void add_value(Tree& tree, Value v) {
    tree.nodes.push_back({Node::Kind::value, {}, static_cast<std::uint32_t>(tree.values.size())});
    tree.values.push_back(std::move(v));
}

template <typename Tree>
void add_variable(Tree& tree, Variable x) {
    tree.nodes.push_back({Node::Kind::variable, {}, x.index});
}

/// Its operands were added last, the first of them from node `first` on.
template <typename Tree>
void add_operation(Tree& tree, Op op, std::uint32_t first) {
    tree.nodes.push_back({Node::Kind::operation, op, node_count(tree) + 1 - first});
}

/// All that was added from node `first` on, which is one expression.
template <typename Tree>
Expression expression_since(Tree const& tree, std::uint32_t first) {
    return {first, node_count(tree) - first};
}

/// The value as an expression.
template <typename Tree>
Expression added_value(Tree& tree, Value v) {
    add_value(tree, std::move(v));
    return expression_since(tree, node_count(tree) - 1);
}

/// `(op x v)`
template <typename Tree>
Expression added_operation(Tree& tree, Op op, Variable x, Value v) {
    std::uint32_t const first = node_count(tree);
    add_variable(tree, x);
    add_value(tree, std::move(v));
    add_operation(tree, op, first);
    return expression_since(tree, first);
}

} // namespace matchpoint::grammar
