// Predicates for an RMA program: what its abstraction knows about its variables.
//
//   std::vector<Formula> const V = find_predicates(formulas);
//   for (Formula const p : V) std::cout << formulas.text(p) << "\n";
//
// The search begins with the atoms of conditions, assertions and properties, and goes backwards through the program: if
// `(= u 1)` matters and `(load u X)` copies X to u, then `(= X 1)` matters. An integer that is compared with a constant
// c, or gets it, has the predicates `x <= c` and `x <= c - 1`, not `x = c`: if they hold for all elements of a set or
// for none, that survives when an element joins, and `x = c` is their conjunction.
#pragma once

#include <vector>

#include "proofs/formula.hpp"

namespace matchpoint::proofs {

/// In the order in which they were found. With `domains`, without those that are the same for all values that their
/// variables can have (domains.hpp); variables with few values are then told apart by value, and others that are
/// compared with each other are put in order, instead of what comes of comparisons through assignments.
/// `more`: further atoms to begin with, such as those of refine.hpp. Throws LimitReached.
std::vector<Formula> find_predicates(Formulas& formulas, bool domains = true, std::vector<Formula> const& more = {});

} // namespace matchpoint::proofs
