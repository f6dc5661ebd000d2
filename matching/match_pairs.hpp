// Match pairs: for each receive the sends that it may get (Section 7). Three sets, each among the next:
//
//   exact       those of some complete run (of a buffering)
//   tight       what polynomial reasoning leaves of the next one
//   overapprox  Figure 15
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "matching/feasibility.hpp"

namespace matchpoint::matching {

/// Receive -> the sends that it may get, ascending; all as numbers of MessageIndex.
struct MatchPairs {
    std::vector<std::vector<std::uint32_t>> of;

    bool contains(Pair p) const;
    std::size_t size() const;
    bool operator==(MatchPairs const&) const = default;
};

/// Figure 15: receive n at beta and the i-th send of a channel to beta, if i <= n <= i + (sends to beta) - (sends of the
/// channel). `all_sends` counts the sends of the whole program instead of those to beta, as an earlier version of the
/// algorithm did (errata E16): a superset.
MatchPairs overapprox(MessageIndex const& messages, bool all_sends = false);
/// Of one receive.
std::vector<std::uint32_t> overapprox(MessageIndex const& messages, std::uint32_t receive, bool all_sends);

/// Whether one run can have both, of different receives: by the sends alone, and their places in a channel.
bool are_compatible(MessageIndex const& messages, Pair a, Pair b);

/// Why tight() leaves a pair out.
struct Exclusion {
    enum class Why : std::uint8_t {
        order,    // the send comes behind the receive's nearest-enclosing wait, in every run
        too_late, // no order of the sends of the channel, or of those that still can come, leaves the send for so late
        too_soon, // so many sends have to be received before it
    };
    /// A command of a chain, which comes behind the one before it.
    struct Step {
        Location rho;
        std::vector<Pair> by; // empty: in program order; else whichever of these matches there is
    };
    using Chain = std::vector<Step>;

    Pair pair;
    Why why;
    /// order: from the wait to the send. Where one of several matches leads on, the chain comes from the first of these,
    /// and a further chain leads to each of the others: from the wait, or from a command of a chain before it. No more than
    /// `most` of them.
    std::vector<Chain> chains;
    std::size_t more = 0; // chains
    static constexpr std::size_t most = 20;
    std::uint32_t bound = 0; // else: the first or last ordinal the send can have
};

/// A superset of the exact pairs, for either buffering, and a subset of overapprox(): repeats, until nothing changes,
///   order     a receive with a single send orders this send before its wait, and a pair against the order is no pair;
///   windows   the sends of a channel have ascending places, each between the first and the last of its receives;
///   counting  a send has place n only if n other messages can be received before it, and no more than n have to.
/// Polynomial: each round but the last leaves out at least one. docs/encoding.md has it step by step.
MatchPairs tight(MessageIndex const& messages, Buffering buffering, std::vector<Exclusion>* excluded = nullptr);
/// The same, of pairs among overapprox()'s that include all pairs of the complete runs that are of interest.
MatchPairs tight(MessageIndex const& messages, Buffering buffering, MatchPairs pairs);

} // namespace matchpoint::matching
