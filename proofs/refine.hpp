// Refinement: what a proof has to know to rule out a path of its abstraction.
//
//   std::vector<Formula> const atoms = atoms_on_path(formulas, system, violation);
//   V = find_predicates(formulas, domains, atoms);
//
// The atoms of weakest preconditions: what goes wrong at the end of the path must hold there, and backwards over each
// step, what had to hold before it. The path is one of abstract states, so a step is the statement of the process that
// moved. When an operation is executed, an element of its set is written; the atoms then speak of the variable from
// which it was drawn, as predicates of sets do. Atoms that are too many only cost time: what they prove is proved.
#pragma once

#include <vector>

#include "proofs/abstraction.hpp"

namespace matchpoint::proofs {

/// In the order in which they are met, each once. As many as a bound on the work allows. Throws LimitReached.
std::vector<Formula> atoms_on_path(Formulas& formulas, Abstraction const& system,
                                   rma::SearchResult::Violation const& violation);

} // namespace matchpoint::proofs
