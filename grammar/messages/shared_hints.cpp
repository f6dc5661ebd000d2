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

} // namespace

std::optional<std::string> hint_for_shared(Surroundings const& s) {
    SyntaxFailure const& f = s.failure;
    if (f.begins_program_in_shared()) return "a closing bracket ends the shared variables: `(shared [x 0] [y 0])`";
    if (f.open.size() == 1) {
        if (ends_there(s.found)) return std::nullopt;
        return fmt::format("each shared variable has brackets of its own, and a value: `[{} 0]`", a_name(s.found));
    }
    std::string const name = a_name(Lexer(f.text, f.open.back().at + 1).next());
    if (f.wants(wanted::variable)) return where_a_shared_name_stands(s.found);
    if (f.wants(wanted::value)) return where_an_initial_value_stands(s, name);
    if (ends_there(s.found)) return std::nullopt;
    if (is_open(s.found) && begins_program(Lexer(f.text, end_of(s.found))))
        return fmt::format("closing brackets end the shared variables: `(shared [{} 0])`", name);
    if (is_open(s.found)) return fmt::format("each shared variable has brackets of its own: `[{} 0] [y 0]`", name);
    return fmt::format("a shared variable has one initial value: `[{} 0]`", name);
}

} // namespace matchpoint::grammar
