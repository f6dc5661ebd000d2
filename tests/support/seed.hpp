#pragma once

/// Which random programs a test takes: MATCHPOINT_SEED (environment) makes others. `scripts/test` takes it from the
/// commit, so that every commit has programs of its own, and a failure can be had again.

#include <cstdint>
#include <cstdlib>
#include <string>

namespace matchpoint::naive {

/// MATCHPOINT_SEED, or 1.
inline std::uint64_t given_seed() {
    char const* const given = std::getenv("MATCHPOINT_SEED");
    return given == nullptr ? 1 : std::stoull(given);
}

/// The seed of a test whose number is n: n itself without MATCHPOINT_SEED. Tests with different numbers, below 1000,
/// have different seeds.
inline std::uint64_t seeded(std::uint64_t n) { return n + 1000 * (given_seed() - 1); }

} // namespace matchpoint::naive
