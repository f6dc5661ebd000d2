// What remote atomics do to the variable Y that they change, as formulas.
//
//   std::vector<Outcome> const outcomes = outcomes_of(formulas, s);
//   Formula const wp = before(formulas, p, outcomes, {.Y = Y});      // wp(Y := Y op Z, p)
//
// A condition takes the place of `ite`, so that comparisons remain comparisons of two variables.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "proofs/formula.hpp"

namespace matchpoint::proofs {

/// Y := value, where a condition holds.
struct Outcome {
    Formula when;
    Formula value;
};

/// What a remote atomic assigns to Y. Exactly one of the conditions holds. C and Z are their initial values if no
/// statement assigns them.
std::vector<Outcome> outcomes_of(Formulas& formulas, rma::RemoteIndex s);

/// What a remote atomic assigns at once: an outcome to Y, and the old Y to X, if there is one. Y may be X, which then
/// keeps its value.
struct Exchange {
    Variable Y;
    std::optional<Variable> X = std::nullopt;
};

/// p[Y/X, op/Y]: holds before exactly if p holds after.
Formula before(Formulas& formulas, Formula p, std::span<Outcome const> outcomes, Exchange const& exchange);

} // namespace matchpoint::proofs
