// Which places of its endpoint each send can be received at, as one interval a send, before any pair is listed.
//
//   CandidateWindows windows(messages, Buffering::infinite, Extent::complete);
//   windows.match({r, s});              // no other send is left for r
//   if (!windows.narrow(&counts)) ...   // no run
//   windows.for_each_send(r, [&](std::uint32_t s) { ... });
//
// These are the inferences `order`, `windows` and `counting` of tight(), which leaves out the holes of the intervals,
// too. They begin with Figure 15, and take time that grows with the number of messages and of channels, not of pairs:
// 60,000 receives at one endpoint can have 2,000,000,000 pairs.
#pragma once

#include "matching/necessary_order.hpp"
#include "matching/ordinal_windows.hpp"

namespace matchpoint::matching {

class CandidateWindows {
public:
    /// The messages have to outlive it. `prefix`: of executions that need not complete.
    CandidateWindows(MessageIndex const& messages, Buffering buffering, Extent extent = Extent::complete);

    /// Of complete runs: the receive gets this send. False: it cannot.
    bool match(Pair p);
    /// Until nothing changes, or it takes too long. False: there is no complete run. `counts` may be null.
    bool narrow(InferenceCounts* counts);

    bool contains(Pair p) const { return windows_.contains(p.s, m_.receives()[p.r].ordinal); }
    /// Calls f with every send to the receive's endpoint whose window contains it, channel by channel.
    template <typename F>
    void for_each_send(std::uint32_t r, F f) const {
        auto const& receive = m_.receives()[r];
        for (Channel const c : m_.channels_to(receive.beta)) {
            spend(4);
            auto const [from, to] = windows_.places_at(c, receive.ordinal);
            for (std::uint32_t i = from; i < to; ++i)
                if (std::uint32_t const s = m_.sends_of(c)[i]; windows_.contains(s, receive.ordinal)) f(s);
        }
    }

    /// All pairs in the windows.
    MatchPairs pairs() const;
    /// How many they are, without listing them.
    std::uint64_t size() const;

private:
    bool narrow_by_places(InferenceCounts* counts);
    bool narrow_by_order();
    bool is_contradictory() const;

    MessageIndex const& m_;
    Buffering buffering_;
    Extent extent_;
    OrdinalWindows windows_;
    NecessaryOrder order_;
    std::vector<bool> is_matched_; // send
};

} // namespace matchpoint::matching
