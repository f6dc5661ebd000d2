// SMT terms: flat, in post-order, like the expressions of the language (grammar/ast.hpp), so that nothing recurses on
// the depth of a term.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::smt_machine {

enum class Sort : std::uint8_t { Int, Bool };
std::string_view to_string(Sort sort);

/// A declared constant, by its number in a Terms.
struct Symbol {
    std::uint32_t index = 0xFFFF'FFFF;
    bool is_none() const { return index == 0xFFFF'FFFF; }
    auto operator<=>(Symbol const&) const = default;
};

/// Nodes [first, first + size) of a Terms; the last one is the root.
struct Term {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    bool operator==(Term const&) const = default;
};

struct TermNode {
    enum class Kind : std::uint8_t { symbol, value, application };
    Kind kind;
    Op op = Op::plus;      // of an application; `and` and `or` take any number of operands
    std::uint32_t payload; // symbol: its number; value: its index in the Terms; application: its number of operands
    std::uint32_t size;    // number of nodes of the subterm, this one included
    bool operator==(TermNode const&) const = default;
};

/// Terms and their symbols. To build a term, push its operands, then apply() the operator.
class Terms {
public:
    /// A new constant. The name must be an SMT-LIB symbol (smtlib.hpp: mangle).
    Symbol declare(std::string name, Sort sort);

    /// For a symbol whose sort was not known when it was declared.
    void set_sort(Symbol s, Sort sort) { sorts_[s.index] = sort; }

    std::string const& name(Symbol s) const { return names_[s.index]; }
    Sort sort(Symbol s) const { return sorts_[s.index]; }
    std::uint32_t symbol_count() const { return static_cast<std::uint32_t>(names_.size()); }

    // Building. Each call adds nodes at the end.
    std::uint32_t mark() const { return static_cast<std::uint32_t>(nodes_.size()); }
    void push(Symbol s) { nodes_.push_back({TermNode::Kind::symbol, {}, s.index, 1}); }
    void push(Value v);
    /// Applies an operator to the last `count` subterms. `and` and `or` of no subterm are true and false; of one
    /// subterm, that subterm.
    void apply(Op op, std::uint32_t count);
    /// The nodes since a mark, which must form one term.
    Term since(std::uint32_t mark) const { return {mark, this->mark() - mark}; }
    /// Removes the last subterm.
    std::vector<TermNode> pop();
    /// Puts back what pop() removed.
    void push(std::vector<TermNode> const& nodes);
    /// Adds a copy of a term.
    void push(Term t);
    /// The last subterm.
    Term last_term() const { return {mark() - last().size, last().size}; }
    /// The root of the last subterm.
    TermNode const& last() const { return nodes_.back(); }
    /// Whether one of the last two subterms is a value.
    bool last_two_have_a_value() const;

    // Reading.
    std::span<TermNode const> nodes(Term t) const { return std::span(nodes_).subspan(t.first, t.size); }
    TermNode const& node(std::uint32_t i) const { return nodes_[i]; }
    Value const& value(std::uint32_t i) const { return values_[i]; }

    bool operator==(Terms const&) const = default;

private:
    std::vector<TermNode> nodes_;
    std::vector<Value> values_;
    std::vector<std::string> names_;
    std::vector<Sort> sorts_;
};

} // namespace matchpoint::smt_machine
