// What an abstraction has instead of a proof: a path of abstract states to one that may go wrong, step by step, and how
// far the machine follows it.
//
//   Counterexample const c = counterexample(formulas, system, *found.violation, {.pending = 3});
//   if (c.violation) ...                             // a run of the machine that goes wrong
//   for (AbstractStep const& step : c.steps) ...
//
// The machine follows if its processes take the same steps, and after each step of the path all is true that the path
// knows of the variables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proofs/abstraction.hpp"
#include "rma/search/along.hpp"

namespace matchpoint::proofs {

/// A predicate, or one for a set, and what is known of it.
struct AbstractBit {
    std::string predicate; // "(<= X 2)"
    std::string set;       // "2#1", "2#1-fetched": for the elements of its set; empty for the variables
    Bit value;
};

struct AbstractStep {
    std::optional<rma::StepAlong> process; // the step of a process; none if an operation is executed
    rma::StatementIndex statement = 0;     // of an operation, the one that issued it
    std::string operation;                 // "2#1", or "2#1-fetched" if what an atomic has fetched is written
    std::vector<AbstractBit> becomes;
};

struct Counterexample {
    rma::Model model = rma::Model::rma;
    AbstractMode mode = AbstractMode::K;
    std::optional<std::size_t> property = std::nullopt; // that may be broken at the end; none if an assertion may fail
    std::optional<rma::StatementIndex> assertion = std::nullopt; // then, that one
    std::vector<AbstractBit> initially = {};                     // what is known
    std::vector<AbstractStep> steps = {};
    rma::Followed machine = {}; // of that model
    std::size_t follows = 0;    // so many steps
    bool agrees_at_end = false; // it follows all, and ends where the path says that it goes wrong
    /// What the path knows after the next step, and what is otherwise in any state to which the machine gets by that
    /// step after its run; of these states, the one with the fewest differences. Empty if the machine cannot take the
    /// step, or follows to the end.
    std::vector<AbstractBit> differs = {};
    /// A run under RMA that goes wrong, and takes the same steps.
    std::optional<rma::CheckResult::Violation> violation = std::nullopt;
};

/// Throws SolverFailed, LimitReached.
Counterexample counterexample(Formulas& formulas, Abstraction& system, rma::SearchResult::Violation const& violation,
                              rma::FollowOptions const& options);

/// The step from an abstract state of a path to the next one.
struct PathStep {
    rma::ProcessIndex p = rma::no_index; // that moves
    rma::UnitIndex u = rma::no_index; // or what is executed; neither if the step is a process's from a loop to itself
};
PathStep step_between(Abstraction::AbstractState const& from, Abstraction::AbstractState const& to);

} // namespace matchpoint::proofs
