#pragma once

/// `check --buffering any` against the naive enumeration of all ways in which standard sends and collectives refuse
/// (tests/support/naive_refusals.hpp).

#include <cstdint>

#include "tests/support/naive_refusals.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

/// The definition, the theorem, the search, and the checker with and without exploration. The calls that are named are
/// enough, and no part of them is. `by_definition`: also over every interleaving, which takes long. A program with
/// more than `limit` states is only counted.
Wrong refusals_are_wrong(Program const& program, std::size_t limit, bool by_definition, Tally& tally);

/// A program that is nearly one in which neither infinite nor zero buffering has a deadlock, and another library has
/// (traces/buffering_mixed.ctp): up to two pairs of neighbours are swapped, and with `mpi` there may be a selector,
/// modes or a barrier.
Program nearly_mixed(std::uint64_t seed, std::uint64_t i, bool mpi);

/// A program that is nearly one in which it matters whether a collective returns early
/// (traces/collectives_early_root.ctp), with another kind, other places, and perhaps a second collective.
Program with_early_calls(std::uint64_t seed, std::uint64_t i);

/// Random program i of a seed: a few checks, half of them under limits of their own.
Wrong any_is_right(std::uint64_t seed, std::uint64_t i, Tally& tally);

} // namespace matchpoint::naive
