#include "grammar/messages/shared_hints.hpp"

#include <fmt/format.h>

#include "base/source.hpp"
#include "grammar/messages/habits.hpp"
#include "grammar/messages/lexer.hpp"
#include "grammar/messages/operator_hints.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::grammar {

namespace {

bool ends_there(Token t) { return t.text.empty() || is_close(t); }

/// What a variable is called in a hint.
std::string a_name(Token t) {
    return is_atom(t) && is_variable_name(t.text) && !any_operator(t.text) ? printable(t.text) : "x";
}

std::string where_a_shared_name_stands(Token found) {
    if (ends_there(found)) return "a shared variable has a name and an initial value: `[x 0]`";
    if (is_open(found)) return "shared variables follow one another: `(shared [x 0] [y 0])`";
    if (is_integer(found.text)) return "a variable's name is not a number: `[x 0]`";
    return fmt::format("`{}` is a reserved word: no variable can have this name", printable(found.text));
}

std::string where_an_initial_value_stands(Surroundings const& s, std::string const& name) {
    if (ends_there(s.found) || s.found.text == "[")
        return fmt::format("a shared variable has an initial value: `[{} 0]`, or `[{} false]`", name, name);
    if (s.found.text == ":=" || s.found.text == "=")
        return fmt::format("the initial value follows the name: `[{} {}]`", name,
                           is_atom(s.next) ? printable(s.next.text) : "0");
    if (is_float(s.found.text)) return "numbers are integers";
    if (is_open(s.found)) return "an initial value is an integer, `true` or `false`, and no expression";
    if (auto hint = hint_for_boolean(s.found.text)) return *hint;
    return fmt::format("an initial value is an integer, `true` or `false`, and no name: `[{} 0]`", name);
}

/// Where `atomic`, or what is called so elsewhere, is in the wrong place. `first` is what the open bracket begins with.
std::optional<std::string> hint_for_atomic(Surroundings const& s, Token first) {
    SyntaxFailure const& f = s.failure;
    std::string_view const found = s.found.text;
    if (f.open.size() == 1) {
        if (found == "atomic") return "`atomic` comes once before each variable: `(shared atomic [x 0])`";
        if (found == "_Atomic" || found == "Atomic") return "did you mean `atomic`? `(shared atomic [x 0])`";
        return std::nullopt;
    }
    if (first.text == "atomic" && f.wants(wanted::value)) {
        if (is_open(s.found)) return "`atomic` has no brackets of its own: `(shared atomic [x 0])`";
        if (is_atom(s.found) && is_variable_name(found))
            return fmt::format("`atomic` comes before the bracket: `atomic [{} 0]`", a_name(s.found));
    }
    if (found == "atomic" && f.wants(wanted::close))
        return fmt::format("`atomic` comes before the bracket: `atomic [{} 0]`", a_name(first));
    return std::nullopt;
}

} // namespace

std::optional<std::string> hint_for_shared(Surroundings const& s) {
    SyntaxFailure const& f = s.failure;
    if (f.begins_program_in_shared()) return "a closing bracket ends the shared variables: `(shared [x 0] [y 0])`";
    Token const first = Lexer(f.text, f.open.back().at + 1).next();
    if (auto hint = hint_for_atomic(s, first)) return hint;
    if (f.open.size() == 1) {
        if (ends_there(s.found)) return std::nullopt;
        return fmt::format("each shared variable has brackets of its own, and a value: `[{} 0]`", a_name(s.found));
    }
    std::string const name = a_name(first);
    if (f.wants(wanted::variable)) return where_a_shared_name_stands(s.found);
    if (f.wants(wanted::value)) return where_an_initial_value_stands(s, name);
    if (ends_there(s.found)) return std::nullopt;
    if (is_open(s.found) && begins_program(Lexer(f.text, end_of(s.found))))
        return fmt::format("closing brackets end the shared variables: `(shared [{} 0])`", name);
    if (is_open(s.found)) return fmt::format("each shared variable has brackets of its own: `[{} 0] [y 0]`", name);
    return fmt::format("a shared variable has one initial value: `[{} 0]`", name);
}

} // namespace matchpoint::grammar
