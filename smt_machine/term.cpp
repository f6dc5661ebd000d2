#include "smt_machine/term.hpp"

#include "grammar/operators.hpp"

namespace matchpoint::smt_machine {

std::string_view to_string(Sort sort) { return sort == Sort::Int ? "Int" : "Bool"; }

Symbol Terms::declare(std::string name, Sort sort) {
    names_.push_back(std::move(name));
    sorts_.push_back(sort);
    return {symbol_count() - 1};
}

void Terms::push(Value v) {
    nodes_.push_back({TermNode::Kind::value, {}, static_cast<std::uint32_t>(values_.size()), 1});
    values_.push_back(std::move(v));
}

void Terms::apply(Op op, std::uint32_t count) {
    if (op == Op::and_ || op == Op::or_) {
        if (count == 0) push(Value::boolean(op == Op::and_));
        if (count <= 1) return;
    }
    std::uint32_t size = 1;
    for (std::uint32_t i = 0; i < count; ++i) size += nodes_[mark() - size].size;
    nodes_.push_back({TermNode::Kind::application, op, count, size});
}

bool Terms::last_two_have_a_value() const {
    TermNode const& before = nodes_[mark() - 1 - nodes_.back().size];
    return nodes_.back().kind == TermNode::Kind::value || before.kind == TermNode::Kind::value;
}

std::vector<TermNode> Terms::pop() {
    auto const begin = nodes_.end() - nodes_.back().size;
    std::vector<TermNode> nodes(begin, nodes_.end());
    nodes_.erase(begin, nodes_.end());
    return nodes;
}

void Terms::push(Term t) {
    nodes_.reserve(nodes_.size() + t.size);
    for (std::uint32_t i = 0; i < t.size; ++i) nodes_.push_back(nodes_[t.first + i]);
}

void Terms::push(std::vector<TermNode> const& nodes) { nodes_.insert(nodes_.end(), nodes.begin(), nodes.end()); }

} // namespace matchpoint::smt_machine
