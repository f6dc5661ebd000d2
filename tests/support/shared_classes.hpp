#pragma once

/// The search for classes of executions, and causal models, against the naive ones.

#include <cstdint>

#include "tests/support/all_rooms.hpp"
#include "tests/support/naive_classes.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

/// Every class is visited once, with its end and status, and no other one. A program that is too large for the naive
/// search is only counted.
Wrong classes_are_right(Program const& program, bool zero, Tally& tally);

/// Each causal model of a trace, which stays on the path, has an execution that fails exactly if the naive search finds
/// one; and hb fails only if mcm does, mcm only if ctp does (P2), hb exactly if the trace does.
Wrong models_are_right(Program const& program, Trace const& trace, bool zero, Tally& tally);

/// The oracle finds a complete run with a match, or with some commands in an order, exactly if the naive search does.
Wrong oracle_is_right(Program const& program, bool zero, std::uint64_t seed, Tally& tally);

/// What is wrong with case i of a seed, under both bufferings.
Wrong shared_classes_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally);

} // namespace matchpoint::naive
