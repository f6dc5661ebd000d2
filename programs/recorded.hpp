// A run of a program as a recorder would see it: with infinite buffering, each thread runs as far as it can, and a
// thread that waits for a message gets one.
#pragma once

#include <random>
#include <vector>

#include "executions/scheduler.hpp"

namespace matchpoint::programs {

class Recorded : public Scheduler {
public:
    /// Each endpoint gets its messages in the order in which they were sent. The program must obey D1 to D6. Linear in
    /// its size. Throws LimitReached.
    explicit Recorded(MessageIndex const& messages) : Recorded(messages, nullptr) {}
    /// Each endpoint gets the next message of a random channel.
    Recorded(MessageIndex const& messages, std::mt19937_64& random) : Recorded(messages, &random) {}

    End end() const { return end_; }

private:
    /// The sends in transit to an endpoint, given by their channels.
    struct InTransit {
        std::vector<Channel> channels;
        std::size_t taken = 0; // from the front
    };

    Recorded(MessageIndex const& messages, std::mt19937_64* random);
    bool serve(Endpoint beta, std::mt19937_64* random);
    void look_at_new_steps();
    void look_at(std::uint32_t thread);
    Endpoint awaited(std::uint32_t thread) const;

    std::vector<InTransit> in_transit_; // endpoint ->
    std::vector<Endpoint> to_serve_;
    std::size_t seen_ = 0; // of the schedule
    End end_ = End::complete;
};

} // namespace matchpoint::programs
