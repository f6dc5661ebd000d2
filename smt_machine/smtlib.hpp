// Prints terms and names as SMT-LIB 2.6. s_expressions.hpp reads it.
#pragma once

#include <string>
#include <string_view>

#include "smt_machine/term.hpp"

namespace matchpoint::smt_machine {

/// Turns a name of the language into a part of a symbol: letters, digits and ~!@$^&*_-+=<>.?/ stay; any other byte, and
/// `@` or `.` at the beginning, becomes %XX. One-to-one; the result needs no bars, but may be put between bars.
std::string mangle(std::string_view name);

/// The inverse of mangle.
std::string unmangle(std::string_view mangled);

/// Appends a term. Linear in its size; no recursion. Writes negative integers as (- 5) and `!=` as distinct.
void print(Terms const& terms, Term t, std::string& out);

/// Appends a value: 5, (- 5), true.
void print(Value const& v, std::string& out);

} // namespace matchpoint::smt_machine
