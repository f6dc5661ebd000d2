// The printer, the inverse of the parser: parsing its output gives an equal program.
//
// The canonical form has one command or trace entry per line, an indent of two spaces, every closing `bot`, and
// integers without `+` and leading zeros.
#pragma once

#include <string>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// The whole program. Given the source that it was parsed from with ParseOptions::keep_comments, it keeps the comments:
/// those on their own line before what follows them, the others at the end of their line.
std::string print(Program const& program, Source const* comments_from = nullptr);

/// (assert (= a 4)). Linear in the size; no recursion.
std::string print(Program const& program, Command const& command);
std::string print(Program const& program, Expression e);

/// A trace as print(Program) has it, an entry a line.
std::string print(Program const& program, Trace const& trace);

/// ((0 2) bot), or bot.
std::string print(Program const& program, std::span<Movement const> m);

/// (03 ((0 2) bot))
std::string print(Program const& program, Trace const& trace, std::size_t entry);

} // namespace matchpoint::grammar
