#include "programs/expression.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

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

Expression operation(Op op, Expression operand) {
    if (arity(op) != 1) throw std::logic_error("a binary operator takes two operands");
    operand.nodes.emplace_back(op);
    return operand;
}

Expression operation(Op op, Expression left, Expression right) {
    if (arity(op) != 2) throw std::logic_error("a unary operator takes one operand");
    // Most operations are small, and need no more room than this. Large ones grow by the half, as vectors do.
    std::size_t const size = left.nodes.size() + right.nodes.size() + 1;
    if (size > left.nodes.capacity())
        left.nodes.reserve(std::max(size, left.nodes.capacity() + left.nodes.capacity() / 2));
    left.nodes.insert(left.nodes.end(), std::make_move_iterator(right.nodes.begin()),
                      std::make_move_iterator(right.nodes.end()));
    left.nodes.emplace_back(op);
    return left;
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
