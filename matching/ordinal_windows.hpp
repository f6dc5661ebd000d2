// Inferences `windows` and `counting`: at which places of an endpoint a send can be received.
//
// The window of a send S[i], the i-th of its channel, is the range from first(S[i]) to last(S[i]) of the ordinals of
// receives that may get it. A send must be received, in complete runs, if its endpoint has as many sends as receives;
// with zero buffering also if it or a later send of its channel is waited for. In executions that need not complete, no
// send must be.
//
//   windows   first in, first out: first(S[i]) > first(S[i-1]); S[i] cannot be received if S[i-1] cannot; and if S[i]
//             must be received, last(S[i-1]) < last(S[i]).
//   counting  Let can(n) be the number of sends of other channels whose window begins before n, and has(n) the number
//             of those that must be received and whose window ends before n. Then n <= i + can(n) and i + has(n) <= n,
//             if S[i] can have ordinal n.
//
// Conclusion: no run has the pair of S and a receive outside its window, or one that the counts exclude.
//
// Why they hold. The receive with ordinal n gets the n-th message that is delivered to the endpoint (D1). A channel
// delivers its messages in order, so S[i-1] has a smaller ordinal than S[i], in every run that delivers S[i]. If S[i]
// must be received, every complete run has both, and S[i-1] comes before the last ordinal of S[i]. If S[i] has ordinal
// n, exactly n messages were delivered before it. Exactly i of them are from its own channel, so n - i are from others.
// All of these are counted by can(n), and all sends that has(n) counts are among them. By induction, a window always
// contains each ordinal that its send has in some run, so the rules can be applied in any order, and stopping early is
// sound.
//
// Windows begin as those of given pairs, which are lists of ordinals, or as those of Figure 15, which are intervals.
//
// What it costs. One round over an endpoint looks at each of its pairs at most once, with a binary search in the
// channel. Intervals need no list of pairs: a round looks at each ordinal at most once for each channel, and a few more
// for each send that need not be received. Each round but the last narrows a window. So lists take at most one round
// more than there are pairs; intervals stop after a hundred.
//
// Constraint programming calls this bounds propagation (Rossi, van Beek and Walsh, eds., Handbook of Constraint
// Programming): every send is a variable, its ordinal the value, and only the ends of the domains move. Counting is
// Hall's condition, but only for the places before n.
#pragma once

#include <utility>

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

    /// Begins with the windows of Figure 15, of all sends.
    void begin_with_intervals();
    /// Narrows the intervals of the sends to an endpoint.
    void narrow(Endpoint beta, InferenceCounts* counts);
    /// Leaves of an interval what is from `first` to `last`. True: it is smaller than before.
    bool cut(std::uint32_t s, std::uint32_t first, std::uint32_t last);

    bool is_empty(std::uint32_t s) const { return first_[s] == unmatched; }
    std::uint32_t first(std::uint32_t s) const { return first_[s]; }
    std::uint32_t last(std::uint32_t s) const { return last_[s]; }
    bool contains(std::uint32_t s, std::uint32_t n) const { return first_[s] <= n && n <= last_[s]; }
    /// Whether every complete run receives it.
    bool must_be_received(std::uint32_t s) const { return must_[s]; }
    /// The sends of a channel whose windows contain an ordinal lie among those from the first number to before the
    /// second, counted by place. The first one of them, if there is one, does contain it.
    std::pair<std::uint32_t, std::uint32_t> places_at(Channel c, std::uint32_t n) const;

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
    std::size_t narrow_intervals_by_counting(Channel c);
    void cut_beginnings();
    void cut_ends();
    std::size_t apply_changes();
    void note_farthest(Endpoint beta);
    void count(Endpoint beta);
    std::optional<Obstacle> obstacle(std::uint32_t s, std::uint32_t ordinal) const;
    std::uint32_t first_from(std::uint32_t s, std::uint32_t n) const;
    std::uint32_t last_below(std::uint32_t s, std::uint32_t n);

    MessageIndex const& m_;
    // By send.
    std::vector<std::vector<std::uint32_t>> ordinals_; // of the receives that may get it, ascending; of intervals none
    bool are_intervals_ = false;
    std::vector<std::uint32_t> first_; // unmatched: the send cannot be received
    std::vector<std::uint32_t> last_;
    std::vector<std::uint32_t> farthest_; // intervals: the greatest `last` of it and the sends before it in its channel
    std::vector<bool> must_;              // it is received in every complete run
    // By ordinal n: how many sends to the endpoint can be received before n, and how many have to be.
    std::vector<std::uint32_t> can_;
    std::vector<std::uint32_t> has_to_;
    std::vector<Window> changed_;
    std::vector<Window> of_channel_;
};

} // namespace matchpoint::matching
