// Cubes that imply a formula, without a solver, where all comparisons are of two variables or of one with a constant:
// `x <= y + c`, `x <= c`, `x = y + c`, and Boolean variables.
//
//   auto const cover = implicants_by_cycles(formulas, V, near, phi, 6);
//   if (!cover) ...     // ask a solver
//
// Difference constraints are edges of a graph: x - y <= c is an edge from x to y of weight c, and a constant is a node
// of its own. A set of them has no solution exactly when it has a cycle of negative weight (Bellman; in SMT,
// "difference logic"). So the minimal cubes that contradict a conjunction D are the predicates on simple negative
// cycles that have at least one edge of D. `not phi` is a disjunction of such conjunctions; a cube that implies phi
// contradicts each of them.
#pragma once

#include <optional>

#include "proofs/cubes.hpp"

namespace matchpoint::proofs {

/// The minimal satisfiable cubes of at most `size` of the predicates `near` that imply phi, the smallest first; as many
/// as a bound on the work allows; without those that a cube with a weaker comparison of the same variables replaces.
/// Nothing if phi or one of the predicates is not such a comparison, or if phi has too many cases. Throws LimitReached.
std::optional<Cover> implicants_by_cycles(Formulas& formulas, std::vector<Formula> const& V,
                                          std::vector<std::uint32_t> const& near, Formula phi, std::size_t size);

/// Whether comparisons and remainders show that no integers satisfy all these formulas. False says nothing. Variables
/// of which a formula has a remainder, `(mod x c)` or `(mod (+ x k) c)`, get all residues in turn. Then there are only
/// comparisons, and `x - y <= c` is as strong as the residues of x and y allow. Throws LimitReached.
bool contradict_by_cycles(Formulas& formulas, std::vector<Formula> const& all);

/// The minimal cubes of at most `size` predicates `of` that nothing satisfies.
std::optional<Cover> contradictions_by_cycles(Formulas& formulas, std::vector<Formula> const& V,
                                              std::vector<std::uint32_t> const& of, std::size_t size);

} // namespace matchpoint::proofs
