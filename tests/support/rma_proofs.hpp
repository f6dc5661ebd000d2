#pragma once

/// Predicate abstraction of programs with remote memory access against the naive oracle.

#include <cstdint>

#include "rma/programs/random.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

/// With predicates that are found, and with random ones, in modes K and S: what is verified breaks no property, and
/// each final valuation of the oracle is one of the abstraction. `choice` chooses the predicates, and how F_V finds
/// cubes. A program that is too large for the oracle, or for the abstraction, is only counted; so is what is wrong if
/// R9 or R10 is read literally. With predicates that are found, all of `rma prove` is asked for at most 2 s, of about
/// one program of 64 by Horn clauses.
Wrong rma_proofs_are_right(rma::Program const& program, std::uint64_t choice, Tally& tally);

/// Of random program i of a seed.
Wrong rma_proofs_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally, rma::RandomShape const& shape);

} // namespace matchpoint::naive
