#pragma once

/// The checker under limits so small that exploration settles almost nothing, against the naive explorations. So the
/// engines after it decide small programs, too, each of them thousands: samples, slow channels, SAT, counting,
/// invariants, and meetings.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/all_rooms.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

/// Random case i of a seed: a program of one of nine kinds, under both bufferings, and a few checks (or continuations,
/// or questions to an oracle) of it, each under limits of its own. Every answer but `unknown` is the truth's, each run
/// that is shown is one, and what is unknown has a reason. What is wrong comes with the smallest program for which it
/// is.
Wrong limits_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally);

/// The engines that decided fewer than one in a thousand of so many cases.
std::vector<std::string> engines_that_decided_few(Tally const& tally, std::uint64_t cases);

} // namespace matchpoint::naive
