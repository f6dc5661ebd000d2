// Dead predicates: what they say is never read before it changes.
//
//   DeadPredicates const dead(formulas, V);
//   for (std::uint32_t const p : dead.at(process, pc)) ...      // V[p]
//
// A local variable is dead before a statement if each way on writes it before it reads it, or never reads it.
// Predicates are connected if they share a variable. If all variables of connected predicates are local and dead, no
// other predicate depends on them: to forget them loses nothing, and merges states.
#pragma once

#include <vector>

#include "proofs/formula.hpp"

namespace matchpoint::proofs {

class DeadPredicates {
public:
    /// Throws LimitReached. Only predicates whose variables, with those of all connected ones, belong to one process
    /// and do not occur in properties.
    DeadPredicates(Formulas const& formulas, std::vector<Formula> const& V);

    /// Those that are dead where the process is at `pc`.
    std::vector<std::uint32_t> const& at(rma::ProcessIndex process, rma::StatementIndex pc) const {
        return dead_[process][pc - firsts_[process]];
    }

private:
    std::vector<rma::StatementIndex> firsts_;                   // by process: its first statement
    std::vector<std::vector<std::vector<std::uint32_t>>> dead_; // by process, and by statement of it, then the end
};

} // namespace matchpoint::proofs
