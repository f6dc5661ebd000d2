// Formulas in conjunctive normal form, in the DIMACS format of SAT solvers:
//
//   c a comment
//   p cnf 3 2          variables 1 to 3, two clauses
//   1 -3 0             u1 or not u3
//   2 3 -1 0           clauses end with 0, wherever lines do
//
// Rules that a file may break:
//   C1  one header, `p cnf VARIABLES CLAUSES`, before the clauses
//   C2  a clause is made of integers
//   C3  the variable of a literal is one of 1 to VARIABLES
//   C4  each clause ends with 0
//   C5  there are as many clauses as the header says
// A line that begins with `%` ends the formula, as in SATLIB's files.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/diagnostics.hpp"
#include "base/expected.hpp"

namespace matchpoint::programs {

struct Cnf {
    std::uint32_t variables = 0;
    std::vector<std::int32_t> literals;   // clause by clause; -3 is the negation of variable 3
    std::vector<std::size_t> clause_ends; // clause -> one past its last literal

    std::size_t clauses() const { return clause_ends.size(); }
    std::span<std::int32_t const> clause(std::size_t i) const {
        std::size_t const first = i == 0 ? 0 : clause_ends[i - 1];
        return std::span(literals).subspan(first, clause_ends[i] - first);
    }
};

/// The formula of a file, or the breaches of rules C1 to C5 in the order of the text, no more than max_diagnostics;
/// "limit" if it has more variables than max_variables. Linear in the size of the text.
Expected<Cnf, Diagnostics> parse_dimacs(Source const& source, std::uint32_t max_variables = 1'000'000);

} // namespace matchpoint::programs
