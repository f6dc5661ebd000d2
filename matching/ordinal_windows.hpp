// Inferences `windows` and `counting`: at which places of an endpoint a send can be received.
//
// The window of a send S[i], the i-th of its channel, is the range from first(S[i]) to last(S[i]) of the ordinals of receives
// that may get it. A send must be received, in complete runs, if its endpoint has as many sends as receives; with zero
// buffering also if it or a later send of its channel is waited for. In executions that need not complete, no send must be.
//
//   windows   first in, first out: first(S[i]) > first(S[i-1]); S[i] cannot be received if S[i-1] cannot; and if S[i] must be
//             received, last(S[i-1]) < last(S[i]).
//   counting  Let can(n) be the number of sends of other channels whose window begins before n, and has(n) the number of
//             those that must be received and whose window ends before n. If S[i] has ordinal n, exactly n messages are
//             received before it, i of them from its own channel. So n <= i + can(n) and i + has(n) <= n.
//
// Conclusion: no run has the pair of S and a receive outside its window, or one that the counts exclude.
#pragma once

#include "machine/extent.hpp"
#include "matching/inferences.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::matching {

class OrdinalWindows {
public:
    /// `prefix`: of executions that need not complete.
    OrdinalWindows(MessageIndex const& messages, Buffering buffering, Extent extent = Extent::complete);

    /// Computes the windows of the sends to an endpoint from the pairs. `counts` may be null.
    void derive(Endpoint beta, MatchPairs const& pairs, InferenceCounts* counts);

    /// What excludes a pair at that endpoint. The bound is the first or last ordinal that the send can have.
    struct Obstacle {
        Inference by;
        Exclusion::Why why;
        std::uint32_t bound;
    };
    std::optional<Obstacle> obstacle(Pair p) const { return obstacle(p.s, m_.receives()[p.r].ordinal); }

private:
    struct Window {
        std::uint32_t s;
        std::uint32_t first;
        std::uint32_t last;
    };

    void start(Endpoint beta, MatchPairs const& pairs);
    std::size_t narrow_by_channels(Endpoint beta);
    std::size_t narrow_by_counting(Endpoint beta);
    void count(Endpoint beta);
    std::optional<Obstacle> obstacle(std::uint32_t s, std::uint32_t ordinal) const;
    std::uint32_t first_from(std::uint32_t s, std::uint32_t n) const;
    std::uint32_t last_below(std::uint32_t s, std::uint32_t n);

    MessageIndex const& m_;
    // By send.
    std::vector<std::vector<std::uint32_t>> ordinals_; // of the receives that may get it, ascending
    std::vector<std::uint32_t> first_;                 // unmatched: the send cannot be received
    std::vector<std::uint32_t> last_;
    std::vector<bool> must_; // it is received in every complete run
    // By ordinal n: how many sends to the endpoint can be received before n, and how many have to be.
    std::vector<std::uint32_t> can_;
    std::vector<std::uint32_t> has_to_;
    std::vector<Window> changed_;
};

} // namespace matchpoint::matching
