// Expressions of drafts (draft.hpp), built and changed as trees:
//
//   Expression const e = operation(Op::less, variable("x"), operation(Op::plus, variable("y"), number(1)));
//
// As in grammar/ast.hpp a tree is flat, so that a million nested operators are a million nodes, and no function
// recurses on the depth.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "grammar/ast.hpp"

namespace matchpoint::programs::draft {

/// A name as text. Each kind is its own type, as indices are (grammar/ast.hpp).
template <typename Kind>
struct Name {
    std::string text = {};

    Name() = default;
    Name(std::string t) : text(std::move(t)) {}
    Name(char const* t) : text(t) {}
    explicit Name(std::string_view t) : text(t) {}
    auto operator<=>(Name const&) const = default;
};

using Variable = Name<grammar::VariableKind>;

using Node = std::variant<Value, Variable, Op>;

struct Expression {
    /// In post-order: the operands of an operator end right before it, the last one last.
    std::vector<Node> nodes = {};

    std::uint32_t root() const { return static_cast<std::uint32_t>(nodes.size()) - 1; }
    bool operator==(Expression const&) const = default;
};

Expression constant(Value v);
Expression truth(bool b);
template <std::integral I>
Expression number(I i) {
    return constant(Value::integer(static_cast<std::int64_t>(i)));
}
Expression variable(Variable x);
/// Takes constant time if the operand is moved.
Expression operation(Op op, Expression operand);
/// Takes time linear in the size of the other operands, if the first one is moved.
Expression operation(Op op, Expression left, Expression right);
/// As many operands as the operator has, in the order of the text.
Expression operation(Op op, std::vector<Expression> operands);

bool is_operation(Node const& node);

/// An expression within an expression: nodes [first, root].
struct Subterm {
    std::uint32_t first;
    std::uint32_t root;
    std::uint32_t size() const { return root - first + 1; }
};

/// The first node of the subterm at each node. Throws std::logic_error if the nodes are not one expression.
void find_first_nodes(Expression const& e, std::vector<std::uint32_t>& first);

/// All subterms, in the order of the text: an operation before its operands.
std::vector<Subterm> subterms(Expression const& e);
Expression part(Expression const& e, Subterm of);
/// With another expression instead of a subterm.
Expression replaced(Expression const& e, Subterm old, Expression const& by);

/// Calls `f` with each variable in the order of the text, as often as it occurs.
template <typename E, typename F>
void for_each_variable(E& e, F&& f) {
    for (auto& node : e.nodes)
        if (auto* const x = std::get_if<Variable>(&node)) f(*x);
}

} // namespace matchpoint::programs::draft
