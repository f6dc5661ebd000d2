// Terms and names as SMT-LIB 2.6.
#pragma once

#include <string>
#include <string_view>

#include "smt_machine/term.hpp"

namespace matchpoint::smt_machine {

/// A name of the language as a part of a symbol: letters, digits and ~!@$^&*_-+=<>.?/ stay, any other byte (and `%`)
/// becomes %XX, and so does `@` or `.` at the beginning. One-to-one, and nothing in it ends a symbol, quoted or not.
std::string mangle(std::string_view name);

/// The name that was mangled; the inverse on mangle's results.
std::string unmangle(std::string_view mangled);

/// Appends a term. Linear in its size; no recursion. Negative integers are written (- 5), `!=` as distinct, `-` etc. as
/// SMT-LIB has them.
void print(Terms const& terms, Term t, std::string& out);

/// Appends a value: 5, (- 5), true.
void print(Value const& v, std::string& out);

/// Where the s-expression ends that begins at `at` or after blanks and comments; npos if there is none.
std::size_t end_of_expression(std::string_view text, std::size_t at);
/// Where it begins: behind blanks and comments; the text's size if there is none.
std::size_t first_of_expression(std::string_view text);

/// Ends a symbol that is not quoted.
inline constexpr std::string_view ends_symbol = " \t\r\n;()|\"";

} // namespace matchpoint::smt_machine
