#pragma once

/// Everything about programs with remote memory access against the naive oracle.

#include <cstdint>

#include "rma/programs/random.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

/// Under RMA and SC: outcome, final valuations, and whether runs are discarded or fault are the oracle's. SC is within
/// RMA, RMA within the reduced program, and one flush less only adds final valuations. A program that is too large for
/// the oracle is only counted.
Wrong rma_is_right(rma::Program const& program, Tally& tally);

/// Of random program i of a seed.
Wrong rma_is_right(std::uint64_t seed, std::uint64_t i, Tally& tally, rma::RandomShape const& shape = {});

/// The fewest flushes, and all placements of that size, are the oracle's, starting from those of random program i of a
/// seed.
Wrong rma_flushes_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally, rma::RandomShape shape = {});

} // namespace matchpoint::naive
