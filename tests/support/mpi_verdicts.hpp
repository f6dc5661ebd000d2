#pragma once

/// The checker and match pairs against the naive exploration, on programs with selectors, modes and barriers.

#include <cstdint>

#include "tests/support/all_rooms.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

/// Every engine that takes the program, lowered or as it is.
Wrong mpi_checks_are_right(Program const& program, bool zero, Truth const& truth, Tally& tally);

/// Exact pairs are those of the truth, tight ones have them, and all are among those that receives admit.
Wrong mpi_pairs_are_right(Program const& program, bool zero, Truth const& truth);

/// Both, for random program i of a seed under both bufferings. A program that is too large for the naive exploration is
/// only counted.
Wrong mpi_verdicts_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally);

/// The same for a random program with probes.
Wrong probe_verdicts_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally);
/// What is wrong with random program i with collectives: traces, exploration, single executions, verdicts and pairs.
Wrong collectives_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally);

} // namespace matchpoint::naive
