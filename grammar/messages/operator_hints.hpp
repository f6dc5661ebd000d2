// How operators are written, for those who write them between their operands or as in another language. A part of
// hints.cpp, and used by rma/.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grammar/messages/lexer.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::grammar {

/// An operator, or one of another language.
std::optional<Op> any_operator(std::string_view atom);

/// `(= e e)`
std::string form_of(Op op);

/// An expression in prefix form: `(= a 4)` for `a = 4`, `(a == 4)` and `(= a 4)`. It begins at an offset, and goes on
/// to the next closing bracket or the end of the text. None if it is not an expression, or too long.
std::optional<std::string> in_prefix_form(std::string_view text, Offset begin);

/// What to write for a claim or an assignment that has an operator between its operands or without brackets:
/// `(assert (= a 4))` for `(assert a = 4)`, `(l := (- l 1))` for `(l := l - 1)` and for `(l := l -1)`. `open` is its
/// bracket.
std::optional<std::string> command_in_prefix_form(std::string_view text, Offset open);

/// For `ite` where a command should be, as in `(ite c (y := 1) (y := 2))`. `begin` is after it.
std::string hint_for_choice(std::string_view text, Offset begin, std::string_view location);

/// For `a = 4` where a command should be: it may be meant to assign, or to state something.
std::optional<std::string> hint_for_bare_infix(std::string_view text, Offset begin);

} // namespace matchpoint::grammar
