// The printer, the inverse of the parser: parsing what it prints gives an equal program.
//
// The canonical form: one command and one trace entry a line, two spaces of indent, every closing `bot` written,
// integers without `+` and leading zeros.
#pragma once

#include <string>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// The whole program. With the source that it was parsed from (ParseOptions::keep_comments) its comments stay: those on
/// a line of their own before what follows them, the others at the end of the line that they stood behind.
std::string print(Program const& program, Source const* comments_from = nullptr);

/// (assert (= a 4)). Linear in the size; no recursion.
std::string print(Program const& program, Command const& command);
std::string print(Program const& program, Expression e);

/// ((0 2) bot), or bot.
std::string print(Program const& program, std::span<Movement const> m);

/// (03 ((0 2) bot))
std::string print(Program const& program, Trace const& trace, std::size_t entry);

} // namespace matchpoint::grammar
