// The printer, the inverse of the parser: parsing its output gives an equal program.
//
// The canonical form has one statement per line, an indent of two spaces, every closing `bot`, `[rho c]` for statements with a
// location, `(` and `)` otherwise, and integers without `+` and leading zeros.
#pragma once

#include <string>

#include "rma/program.hpp"

namespace matchpoint::rma {

/// The whole program. Given the source that it was parsed from with ParseOptions::keep_comments, it keeps the comments.
std::string print(Program const& program, Source const* comments_from = nullptr);

/// A statement without its location. Of a compound one, its head: `(while (!= a 1)`.
std::string print(Program const& program, StatementIndex statement);
std::string print(Program const& program, Expression e);
/// `(assert final (= r 1))`
std::string print(Program const& program, Property const& property);

} // namespace matchpoint::rma
