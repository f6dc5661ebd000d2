// What the parser of `.rma` files needs to know of words: what it expects, as messages say it, which words begin what,
// and what its expressions have that those of the trace language do not.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "grammar/messages/lexer.hpp"
#include "grammar/messages/syntax_error.hpp"
#include "grammar/operators.hpp"
#include "rma/language/builder.hpp"

namespace matchpoint::rma {

using Iterator = char const*;

namespace wanted {
using grammar::wanted::bot;
using grammar::wanted::close;
using grammar::wanted::end;
using grammar::wanted::location;
using grammar::wanted::value;
using grammar::wanted::variable;
inline constexpr std::string_view program = "a program `(rma ...)`";
inline constexpr std::string_view process = "a process `(process pid ...)`";
inline constexpr std::string_view property = "a property `(assert final e)` or `(invariant e)`";
inline constexpr std::string_view pid = "the number of a process (a non-negative integer)";
inline constexpr std::string_view declaration = "a declaration `(x v)`";
inline constexpr std::string_view shared = "a shared variable";
inline constexpr std::string_view local = "a local variable";
inline constexpr std::string_view statement = "a statement `(...)`, `[rho ...]` or `skip`";
inline constexpr std::string_view kind =
    "`load`, `store`, `put`, `get`, `flush`, `fetch-and-op`, `compare-and-swap`, `accumulate`, `choose`, `assume`, "
    "`assert`, `if`, `while`, `goto`, `atomic`, an assignment `u := e` or a location";
inline constexpr std::string_view statements = "a list of statements `(stmt ...)`";
inline constexpr std::string_view operation = "`+`, `*`, `min`, `max`, `and`, `or`, `xor`, `replace` or `no-op`";
} // namespace wanted

namespace hint {
inline constexpr std::string_view branch = "each branch of an `if` is a list of statements: `(if e ((u := 1)) (skip))`";
inline constexpr std::string_view declarations = "declarations come before the first statement of their process";
} // namespace hint

/// What people may write for the operation of a remote atomic.
inline constexpr std::array<std::array<std::string_view, 2>, 7> other_operations{
    {{"-", ""}, {"add", "+"}, {"sum", "+"}, {"plus", "+"}, {"mul", "*"}, {"prod", "*"}, {"swap", "replace"}}};

/// Words that begin a statement whose next token may be an opening bracket: no locations.
inline constexpr std::array<std::string_view, 5> before_brackets = {"if", "while", "assume", "assert", "atomic"};
/// Words after which the atom `skip` is not a statement.
inline constexpr std::array<std::string_view, 9> before_atoms = {
    "load", "store", "put", "get", "choose", "goto", "fetch-and-op", "compare-and-swap", "accumulate"};

template <std::size_t n>
bool contains(std::array<std::string_view, n> const& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

inline bool is_value(std::string_view atom) { return is_integer(atom) || atom == "true" || atom == "false"; }

/// `and` and `or` take two or more operands; properties have `(at pid rho)`.
struct RmaExpressions {
    static constexpr bool folds(Op op) { return op == Op::and_ || op == Op::or_; }
    static bool begins_leaf(Builder const& b, std::string_view word) { return b.in_property() && word == "at"; }
    template <typename Skip>
    static bool read_leaf(Builder& b, Iterator& first, Iterator last, Skip const& skip) {
        auto const word = [&] {
            skip();
            Iterator const end = atom_end(first, last);
            return std::string_view(first, static_cast<std::size_t>(end - first));
        };
        first += word().size(); // `at`
        std::string_view const pid = word();
        if (!endpoint_name(pid)) return b.fail(first, wanted::pid);
        first += pid.size();
        std::string_view const rho = word();
        if (rho.empty()) return b.fail(first, wanted::location);
        first += rho.size();
        skip();
        if (first == last || !b.closes(*first)) return b.fail(first, wanted::close);
        b.close();
        ++first;
        b.place_node(pid, rho);
        return true;
    }
};

} // namespace matchpoint::rma
