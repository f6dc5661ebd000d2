// Inference `order`: which commands come before which in every complete run whose matches are among given pairs.
//
// "S <= c" means that S is c or comes before it. The order is the least one such that
//   - what precedes c in its thread comes before c;
//   - if c is nw(R), whatever is <= every S with (R, S) among the pairs comes before c;
//   - zero buffering: if c is the wait for S, whatever is <= every R with (R, S) among the pairs comes before c.
// The premises look back only: where c is executed, so is what comes before it. So the order holds of executions that
// do not complete, too.
//
// Conclusion: (R, S) is in no such run if nw(R) comes before S, or, with zero buffering, if wait(S) comes before R.
#pragma once

#include <deque>

#include "matching/match_pairs.hpp"
#include "matching/ordinal_windows.hpp"
#include "matching/strong_components.hpp"

namespace matchpoint::matching {

class NecessaryOrder {
public:
    NecessaryOrder(MessageIndex const& messages, Buffering buffering);

    /// Adds what follows from the pairs. The pairs of a later call have to be among those of an earlier call.
    void derive(MatchPairs const& pairs);
    /// The same of all pairs in the windows, which are intervals. The first send of a channel is enough, as it comes
    /// before the others; likewise the first receive at an endpoint.
    void derive(OrdinalWindows const& windows);
    /// How many receives at the endpoint of a send have waits that come before the send: the first ordinal that is
    /// left.
    std::uint32_t first_ordinal(std::uint32_t s) const;
    /// Zero buffering: before how many receives at its endpoint the wait for a send comes not; the last ordinal that is
    /// left is one less.
    std::uint32_t ordinals_before_wait(std::uint32_t s) const;

    /// Two commands, the first of which comes before the second, though the pair needs it the other way round.
    struct Obstacle {
        Location first;
        Location second;
    };
    std::optional<Obstacle> obstacle(Pair p) const;

    /// Adds to an exclusion why the first command comes before the second: derive(), traced from this one command on.
    /// The pairs are those of the last call of derive().
    void explain(Obstacle const& obstacle, MatchPairs const& pairs, Exclusion& exclusion) const;

private:
    /// The commands that come before a command, as the last one of each thread that has some; by thread, ascending.
    using Before = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    struct Premises;
    struct PremisesOfPairs;
    struct PremisesOfWindows;
    /// Matches that lead to a command together; the premise that was reached last comes first.
    using Reached = std::vector<std::optional<std::vector<Pair>>>;

    static bool join(Before& into, Before const& from);
    static void meet(Before& into, Before const& from);
    void derive(Premises& premises);
    void sweep(Premises& premises, std::uint32_t thread);
    void again_where_it_counts(std::uint32_t command);
    void again(std::uint32_t thread);
    void join_premises(Premises& premises, std::uint32_t command, Before& before) const;
    template <typename LocationOf>
    Before common(Premises const& premises, std::span<std::uint32_t const> numbers, LocationOf location_of,
                  std::uint32_t component) const;
    std::optional<std::uint32_t> last_before(Location b, std::uint32_t thread) const;
    bool precedes(Location a, Location b) const;
    Reached reach(Obstacle const& obstacle, MatchPairs const& pairs) const;
    void add_chains(Obstacle const& obstacle, Reached const& by, Exclusion& exclusion) const;

    MessageIndex const& m_;
    IndexedProgram const& code_;
    Buffering buffering_;
    std::vector<std::vector<std::uint32_t>> completed_; // wait -> its receives
    std::vector<Before> before_;                        // by command
    std::size_t entries_ = 0;                           // in all of before_
    std::deque<std::uint32_t> threads_;                 // to look at again
    std::vector<bool> is_queued_;                       // thread: it is in threads_
};

} // namespace matchpoint::matching
