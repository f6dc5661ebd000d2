// Match pairs: for each receive, the sends that it may get (Section 7). There are three sets, each a subset of the
// next:
//
//   exact       those of some complete run (executions/exact_pairs.hpp)
//   tight       what polynomial reasoning leaves of overapprox
//   overapprox  Figure 15
//
//   MatchPairs const pairs = tight(messages, Buffering::infinite);
//   if (pairs.contains({r, s})) ...
//
// Why Figure 15 leaves out no pair of a run. The receive with ordinal n gets the n-th message that is delivered to its
// endpoint (D1). If that is the i-th send of its channel, counted from 0, the i sends before it in the channel are
// among the n messages before it, so i <= n. The other n - i are from other channels, so n - i is at most the number of
// sends there.
//
// The idea of tight(). Let P be a set of pairs that has all pairs of every run. An inference concludes from P what is
// true of every run whose matches are in P, and so of every run. Pairs that contradict this are in no run, and leave P:
//
//   order              a command comes before another one in every run, and the pair needs it the other way round
//                      (necessary_order.hpp)
//   windows, counting  the channels and the numbers of messages do not let the send have that place
//                      (ordinal_windows.hpp)
//
// Fewer pairs allow further conclusions, so this is repeated until nothing changes. By induction P always has all pairs
// of every run, wherever one stops. Constraint programming calls this propagation (Apt, The Essence of Constraint
// Propagation).
//
// Tight is not exact. An inference looks at one pair at a time, and none looks at values. In Figure 1 with zero
// buffering, tight keeps five pairs, of which three are exact (docs/encoding.md, "Tight match pairs").
//
// What it costs. Each round but the last leaves out a pair, so there is at most one round more than there are pairs;
// usually there are two or three. A sweep of the order takes time proportional to the commands and pairs that lie on
// possible cycles, times the threads. The windows take time proportional to the pairs, but for a logarithm. Overapprox
// itself can be quadratic in the number of messages. Where it would be large, the windows are narrowed first, as
// intervals (candidate_windows.hpp).
//
// Section 7 and Figure 15 are of Huang, Mercer and McCarthy, Proving MCAPI Executions are Correct; tight() is not.
#pragma once

#include <optional>
#include <vector>

#include "machine/extent.hpp"
#include "machine/state.hpp"
#include "matching/inferences.hpp"
#include "matching/matching.hpp"

namespace matchpoint::matching {

/// Receive -> the sends that it may get, ascending; all as numbers of MessageIndex.
struct MatchPairs {
    std::vector<std::vector<std::uint32_t>> of;

    bool contains(Pair p) const;
    std::size_t size() const;
    bool operator==(MatchPairs const&) const = default;
};

/// Figure 15: receive n at beta and the i-th send of a channel to beta, if i <= n <= i + (sends to beta) - (sends of
/// the channel). `all_sends` counts the sends of the whole program instead of those to beta, as an earlier version of
/// the algorithm did (errata E16): a superset.
MatchPairs overapprox(MessageIndex const& messages, bool all_sends = false);
/// The sends of one receive.
std::vector<std::uint32_t> overapprox(MessageIndex const& messages, std::uint32_t receive, bool all_sends);

/// Whether the sends and their places in the channel allow one run to have both pairs. The receives must differ.
bool are_compatible(MessageIndex const& messages, Pair a, Pair b);

/// Why tight() leaves a pair out.
struct Exclusion {
    enum class Why : std::uint8_t {
        order,    // in every run the send comes after the receive's nearest-enclosing wait
        too_late, // the send's channel and the sends that can come before it do not reach to so late a place
        too_soon, // so many sends have to be received before it
    };
    /// A command of a chain. It comes after the previous command of the chain.
    struct Step {
        Location rho;
        std::vector<Pair> by; // by program order if empty; otherwise by whichever of these matches the run has
    };
    using Chain = std::vector<Step>;

    Pair pair;
    Why why;
    /// order: from the wait to the send. Where one of several matches leads on, the chain comes from the first of them,
    /// and each of the others has a further chain: from the wait, or from a command of an earlier chain. At most `most`
    /// chains.
    std::vector<Chain> chains;
    std::size_t more = 0; // chains beyond `most`
    static constexpr std::size_t most = 20;
    std::uint32_t bound = 0; // too_late, too_soon: the last or first ordinal that the send can have
};

/// A superset of the exact pairs for the buffering, and a subset of overapprox(). docs/encoding.md has it step by step.
MatchPairs tight(MessageIndex const& messages, Buffering buffering, std::vector<Exclusion>* excluded = nullptr,
                 InferenceCounts* counts = nullptr);
/// The same for the executions on the path, complete or not: a superset of the tight pairs.
MatchPairs tight_on_path(MessageIndex const& messages, Buffering buffering, std::vector<Exclusion>* excluded = nullptr,
                         InferenceCounts* counts = nullptr);
/// The same as the first, starting from a subset of overapprox() that has all pairs of the complete runs of interest.
/// Adds to `counts`, unless it is null.
MatchPairs tight(MessageIndex const& messages, Buffering buffering, MatchPairs pairs,
                 InferenceCounts* counts = nullptr);

/// The same, of complete runs or of executions that need not complete.
MatchPairs tight(MessageIndex const& messages, Buffering buffering, MatchPairs pairs, Extent extent,
                 std::vector<Exclusion>* excluded = nullptr, InferenceCounts* counts = nullptr);

} // namespace matchpoint::matching
