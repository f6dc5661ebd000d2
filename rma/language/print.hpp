// The printer, the inverse of the parser: parsing its output gives an equal program.
//
// The canonical form has one statement per line, an indent of two spaces, every closing `bot`, `[rho c]` for statements
// with a location, `(` and `)` otherwise, and integers without `+` and leading zeros.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rma/language/program.hpp"

namespace matchpoint::rma {

/// The whole program. Given the source that it was parsed from with ParseOptions::keep_comments, it keeps the comments.
std::string print(Program const& program, Source const* comments_from = nullptr);

/// What to print instead of a program's own lines. Each function gives lines, or none to keep the program's own. A
/// statement that is replaced by other lines becomes a comment above them.
struct Rewriting {
    std::string_view name;                                              // of the program: `rma`
    std::vector<std::string> before;                                    // the first process
    std::vector<std::string> behind;                                    // the last one
    std::function<std::vector<std::string>(ProcessIndex)> declarations; // after the program's own
    std::function<std::vector<std::string>(StatementIndex)>
        simple_statement; // without its location, which its first line gets
};
std::string print(Program const& program, Rewriting const& rewriting);

/// A statement without its location. A compound one is shown as its head: `(while (!= a 1)`.
std::string print(Program const& program, StatementIndex statement);
std::string print(Program const& program, Expression e);
/// `(assert final (= r 1))`
std::string print(Program const& program, Property const& property);

} // namespace matchpoint::rma
