// A random execution: every choice is made at random.
#pragma once

#include <random>
#include <vector>

#include "executions/scheduler.hpp"

namespace matchpoint::executions {

class Sample : public Scheduler {
public:
    /// Throws LimitReached.
    Sample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random, Runs runs = Runs::complete);
    End end() const { return end_; }

private:
    void list_live_channels();
    void retire(Channel c);
    std::optional<Endpoint> endpoint_at(std::uint32_t place) const;
    std::optional<Channel> choose(std::mt19937_64& random);
    std::optional<Channel> some_in_transit(Endpoint beta, std::mt19937_64& random) const;
    End deliver_all(std::mt19937_64& random);

    End end_;
    /// With infinite buffering an endpoint is only served where a thread waits, so that asking threads is quicker where
    /// these are fewer.
    bool by_thread_ = false;
    std::vector<std::uint32_t> places_;      // what choose() asks, in a random order: threads or endpoints
    std::vector<std::vector<Channel>> live_; // endpoint -> its channels with a message that is not delivered yet
    std::vector<std::uint32_t> place_of_;    // channel -> its place in live_
};

} // namespace matchpoint::executions
