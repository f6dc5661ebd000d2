#pragma once

/// The machine, the explorer and the definition of partners against the naive oracle, on programs with selectors, modes
/// and barriers.

#include <cstdint>

#include "tests/support/all_rooms.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

/// Whether a trace runs on the machine as on the oracle: every outcome, reason, value, partner.
Wrong trace_is_right(Case const& c);

/// Whether the explorer finds what the oracle finds: match sets, statuses, orphans, deadlocks and faults of complete
/// runs, and what executions on the path come to. A program of more states than `limit` is only counted.
Wrong exploration_is_right(Program const& program, bool zero, Tally& tally, std::size_t limit = 20'000);

/// Whether single executions - random ones, and those in which a channel is slow - and searches end as the oracle's do.
/// As above.
Wrong schedulers_are_right(Program const& program, bool zero, std::uint64_t seed, Tally& tally,
                           std::size_t limit = 20'000);

/// Random walks under both bufferings, each there and back. Where receives select, the movements that are enabled are
/// the matches of the definition (semantics.md, "Partners"), each makes one pair, and no command makes any. Pairs stay,
/// and undoing restores the state.
Wrong partners_are_right(Program const& program, std::uint64_t seed, std::uint64_t i);

/// The program with a gather and a scatter over fresh endpoints in place of each meeting at a barrier: the first thread
/// of it receives from the others, then sends to them.
Program without_barriers(Program const& program);

/// What is wrong with case i: all of the above but the last, for random programs.
Wrong mpi_is_right(std::uint64_t seed, std::uint64_t i, Tally& tally);

/// The same of case i for a random program with probes.
Wrong probes_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally);

/// docs/semantics.md, "Probes": in all complete runs, a receive of the source and the tag that a probe saw gets the
/// same message, unless a receive that was posted before it does.
Wrong receives_get_what_probes_saw(Program const& program, Truth const& truth, Tally& tally);

} // namespace matchpoint::naive
