#include "programs/expression.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

namespace matchpoint::programs::draft {

namespace {

Expression leaf(Node node) {
    Expression e;
    e.nodes.push_back(std::move(node));
    return e;
}

/// 0 for a value or a variable.
std::uint32_t operands_of(Node const& node) {
    auto const* const op = std::get_if<Op>(&node);
    return op == nullptr ? 0 : arity(*op);
}

} // namespace

Expression constant(Value v) { return leaf(std::move(v)); }
Expression truth(bool b) { return leaf(Value::boolean(b)); }
Expression variable(Variable x) { return leaf(std::move(x)); }

namespace {

/// Appends the operands to the first one.
Expression applied(Op op, Expression first, std::span<Expression> others) {
    if (arity(op) != 1 + others.size())
        throw std::logic_error(
            fmt::format("`{}` takes {} operands, not {}", to_string(op), arity(op), 1 + others.size()));
    // Most operations are small, and need no more room than this. Large ones grow by the half, as vectors do.
    std::size_t size = first.nodes.size() + 1;
    for (Expression const& e : others) size += e.nodes.size();
    if (size > first.nodes.capacity())
        first.nodes.reserve(std::max(size, first.nodes.capacity() + first.nodes.capacity() / 2));
    for (Expression& e : others)
        first.nodes.insert(first.nodes.end(), std::make_move_iterator(e.nodes.begin()),
                           std::make_move_iterator(e.nodes.end()));
    first.nodes.emplace_back(op);
    return first;
}

} // namespace

Expression operation(Op op, Expression operand) { return applied(op, std::move(operand), {}); }

Expression operation(Op op, Expression left, Expression right) {
    return applied(op, std::move(left), std::span(&right, 1));
}

Expression operation(Op op, std::vector<Expression> operands) {
    return applied(op, std::move(operands.at(0)), std::span(operands).subspan(1));
}

bool is_operation(Node const& node) { return std::holds_alternative<Op>(node); }

void find_first_nodes(Expression const& e, std::vector<std::uint32_t>& first) {
    first.resize(e.nodes.size());
    std::uint32_t open = 0; // subterms that are no operand yet
    for (std::uint32_t i = 0; i < e.nodes.size(); ++i) {
        std::uint32_t const n = operands_of(e.nodes[i]);
        if (open < n) throw std::logic_error("an operand is missing");
        open = open - n + 1;
        // The last operand ends right before the operator, and the one before it right before that.
        first[i] = i;
        for (std::uint32_t k = 0; k < n; ++k) first[i] = first[first[i] - 1];
    }
    if (open != 1) throw std::logic_error("nodes of more or less than one expression");
}

std::vector<Subterm> subterms(Expression const& e) {
    std::vector<std::uint32_t> first;
    find_first_nodes(e, first);
    std::vector<Subterm> result;
    std::vector<std::uint32_t> rest{e.root()};
    while (!rest.empty()) {
        Subterm const t{first[rest.back()], rest.back()};
        rest.pop_back();
        result.push_back(t);
        for (std::uint32_t end = t.root; end > t.first; end = first[end - 1]) rest.push_back(end - 1);
    }
    return result;
}

Expression part(Expression const& e, Subterm of) {
    auto const begin = e.nodes.begin();
    return {{begin + of.first, begin + of.root + 1}};
}

Expression replaced(Expression const& e, Subterm old, Expression const& by) {
    auto const begin = e.nodes.begin();
    Expression result;
    result.nodes.reserve(e.nodes.size() - old.size() + by.nodes.size());
    result.nodes.insert(result.nodes.end(), begin, begin + old.first);
    result.nodes.insert(result.nodes.end(), by.nodes.begin(), by.nodes.end());
    result.nodes.insert(result.nodes.end(), begin + old.root + 1, e.nodes.end());
    return result;
}

} // namespace matchpoint::programs::draft
