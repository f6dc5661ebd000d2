// One execution that keeps to given match pairs. A receive takes the one of its possible messages that can be received
// for the shortest time from then on. With pairs that pruning left, it is often the execution that is looked for.
#pragma once

#include "executions/serving.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::executions {

class Directed : public Serving {
public:
    /// For a plain program. Takes time linear in the size of the program and the number of pairs. Throws LimitReached.
    Directed(MessageIndex const& messages, Buffering buffering, Runs runs, MatchPairs const& pairs);
    /// `pruned`: the pairs allow no delivery that would help.
    End end() const { return end_; }

private:
    std::optional<Channel> choose();
    std::optional<Channel> most_urgent(Endpoint beta) const;

    MatchPairs const& pairs_;
    std::vector<std::uint32_t> last_; // send -> the last ordinal of a receive that may get it
    End end_ = End::fault;
};

} // namespace matchpoint::executions
