// An execution in which messages are delivered in the order in which they are sent, but for one slow channel: its
// messages arrive when nothing else can happen.
//
// So a message overtakes another one on a long way, and all else is as in a quiet network. A sample with independent
// choices (sample.hpp) almost never shows that. As in delay-bounded scheduling (Emmi, Qadeer, Rakamaric, POPL 2011), an
// execution is described by what it delays; here that is one channel.
#pragma once

#include <deque>
#include <random>
#include <set>
#include <vector>

#include "executions/serving.hpp"
#include "matching/matching.hpp"

namespace matchpoint::executions {

class SlowChannel : public Serving {
public:
    /// From the initial state. Throws LimitReached.
    SlowChannel(MessageIndex const& messages, Buffering buffering, Channel slow, Runs runs = Runs::complete)
        : SlowChannel(messages, buffering, slow, {}, runs) {}
    /// With an aim, which is met if the run has this pair. It need not be possible: if the other messages wait for that
    /// message without success, the execution goes on without an aim.
    SlowChannel(MessageIndex const& messages, Buffering buffering, Pair aim, Runs runs = Runs::complete);
    End end() const { return end_; }

private:
    struct Aim {
        std::uint32_t ordinal; // of the receive at its endpoint
        std::uint32_t place;   // of the message in the slow channel
    };
    SlowChannel(MessageIndex const& messages, Buffering buffering, Channel slow, std::optional<Aim> aim, Runs runs);

    std::optional<Channel> choose();
    std::optional<Channel> choose_towards_the_aim();
    std::optional<Channel> choose_behind_others();
    void forget(Channel c);
    bool is_time_for_the_slow_one() const;
    std::optional<Channel> slow_one();
    void look_at_sends_behind(Channel delivered);
    void look_at_sends(std::uint32_t thread);
    void look_again();
    void consider(Endpoint beta);
    void drop(Endpoint beta);

    struct Sent {
        std::uint32_t time; // how many messages were sent before
        Channel channel;
    };
    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    Channel slow_;
    std::optional<Aim> aim_;
    std::vector<std::deque<Sent>> in_transit_;                     // endpoint -> the messages that are not slow
    std::set<std::pair<std::uint32_t, std::uint32_t>> candidates_; // (time of its first one in transit, endpoint)
    std::vector<std::uint32_t> key_;                               // endpoint -> its time in candidates_
    std::vector<std::uint32_t> seen_; // thread -> the commands whose sends have been looked at
    std::uint32_t sent_ = 0;
    End end_ = End::fault;
};

/// A channel that is probably used late: the k-th from the end, by how far its first send is from the end of the
/// thread, where log k is distributed uniformly. A channel that is slow early often stops the other threads before much
/// has happened. The program has to have a send.
Channel some_late_channel(MessageIndex const& messages, std::mt19937_64& random);

} // namespace matchpoint::executions
