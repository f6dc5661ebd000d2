// Reads an expression, e ::= (op e e) | (not e) | x | v, as nodes in post-order, with a stack of its own. The parsers
// of all languages share it: each has a builder that takes the nodes, and a class that says what its language adds.
//
//   bool const ok = read_expression<PlainExpressions>(builder, first, last, skip, expression);
//
// `skip` moves `first` past white space and comments. If there is no expression, the builder has noted what was
// expected where.
#pragma once

#include <boost/container/small_vector.hpp>

#include <string_view>

#include "grammar/ast.hpp"
#include "grammar/characters.hpp"
#include "grammar/messages/syntax_error.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::grammar {

/// A language that adds nothing.
struct PlainExpressions {
    /// Whether `(op a b c)` means `(op (op a b) c)`.
    static constexpr bool folds(Op) { return false; }
    /// Whether the word, after an opening bracket, begins something that is a leaf of the tree; `read_leaf` reads the
    /// rest of it with its closing bracket.
    template <typename Builder>
    static constexpr bool begins_leaf(Builder const&, std::string_view) {
        return false;
    }
    template <typename Builder, typename Skip>
    static bool read_leaf(Builder&, char const*&, char const*, Skip const&) {
        return false;
    }
};

namespace detail {

/// An operation whose bracket is still open.
struct OpenOperation {
    Op op;
    std::uint32_t operands;
    std::uint32_t begin; // its first node
    char const* at;      // of its operator
};

template <typename Builder>
bool read_atom(Builder& b, std::string_view atom) {
    if (is_integer(atom) || atom == "true" || atom == "false")
        b.value_node(atom);
    else if (!atom.empty() && is_variable_name(atom))
        b.variable_node(atom);
    else
        return false;
    return true;
}

} // namespace detail

template <typename Language, typename Builder, typename Skip>
bool read_expression(Builder& b, char const*& first, char const* last, Skip const& skip, Expression& result) {
    using detail::OpenOperation;
    boost::container::small_vector<OpenOperation, 16> open; // most expressions are no deeper
    std::uint32_t const begin = b.node_count();
    auto const word_at = [last](char const* at) {
        return std::string_view(at, static_cast<std::size_t>(atom_end(at, last) - at));
    };
    // Two operands of an operation that may have more become one, before the next one is read.
    auto const fold = [&](OpenOperation& o) {
        if (o.operands != 2 || !Language::folds(o.op)) return;
        b.operation_node(o.op, 2, o.begin, b.offset(o.at));
        o.operands = 1;
    };
    do {
        skip();
        bool is_leaf = true;
        if (first != last && is_open(*first)) {
            if (!open.empty()) fold(open.back());
            b.open(first++);
            skip();
            std::string_view const word = word_at(first);
            if (Language::begins_leaf(b, word)) {
                if (!Language::read_leaf(b, first, last, skip)) return false;
            } else {
                auto const op = parse_op(word);
                if (!op) return b.fail(first, wanted::op);
                open.push_back({*op, 0, b.node_count(), first});
                first += word.size();
                is_leaf = false;
            }
        } else {
            std::string_view const word = word_at(first);
            bool const complete = !open.empty() && open.back().operands >= arity(open.back().op);
            if (!word.empty() && !open.empty()) fold(open.back());
            if (!detail::read_atom(b, word))
                return b.fail(first, complete ? wanted::close : open.empty() ? wanted::expression : wanted::operand);
            first += word.size();
        }
        if (is_leaf && !open.empty()) ++open.back().operands;
        // Every operation that ends here is an operand of the enclosing one.
        skip();
        while (!open.empty() && first != last && is_close(*first)) {
            if (!b.closes(*first)) return b.fail(first, wanted::close);
            b.close();
            OpenOperation const o = open.back();
            open.pop_back();
            b.operation_node(o.op, o.operands, o.begin, b.offset(o.at));
            if (!open.empty()) ++open.back().operands;
            ++first;
            skip();
        }
    } while (!open.empty());
    result = {begin, b.node_count() - begin};
    return true;
}

} // namespace matchpoint::grammar
