// What users write by habit, from other languages or from a word processor, and how to write it here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::grammar {

/// `//`, `#`, `/*` or `--`, and what follows them in the same atom.
bool begins_foreign_comment(std::string_view atom);

/// For a character that looks like another one, or like nothing: a no-break space, a dash that is no minus, typographic
/// quotes. It is named, with its code point.
std::optional<std::string> hint_for_characters(std::string_view atom);

/// For a statement of other languages that stands for a command's name: `if`, `while`, `print`, `skip`.
std::optional<std::string> hint_for_statement(std::string_view name);

/// For an operation of threads that stands for a command's name: `lock`, `cond_wait`, `join`.
std::optional<std::string> hint_for_threads(std::string_view name);

/// For an assignment of other languages, given the name and the sign: `x++`, `x +=`.
std::optional<std::string> hint_for_assignment(std::string_view name, std::string_view sign, std::string_view value);

/// For an expression without blanks, which is read as a name: `x=4`, `!x`, `-x`, `0x10`, `1_000`.
std::optional<std::string> hint_for_expression_as_name(std::string_view name);

/// For a `;` after a command, as in C: in the text up to where a closing bracket is missing, a comment has one.
std::optional<std::string> hint_for_semicolon(std::string_view text);

/// For a truth value that is spelled as in another language: `True`, `FALSE`.
std::optional<std::string> hint_for_boolean(std::string_view atom);

/// Whether it is written as a number with a fraction: `1.5`, `-2.0e3`.
bool is_float(std::string_view atom);

/// For a name that ends with a comma or colon.
std::optional<std::string> hint_for_punctuation(std::string_view name);

} // namespace matchpoint::grammar
