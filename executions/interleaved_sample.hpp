// A random execution of a program with shared variables: threads run in turns of random lengths, in a random order.
#pragma once

#include <random>

#include "executions/sharing.hpp"

namespace matchpoint::executions {

class InterleavedSample : public SharedScheduler {
public:
    /// `turn`: how many commands a thread executes before another one may go on, on average; 1 or more. The messages have to outlive
    /// it. Linear in the length of the execution, times the number of threads that are blocked. Throws LimitReached.
    InterleavedSample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random, std::uint32_t turn);
    End end() const { return end_; }

private:
    bool take_turn(std::mt19937_64& random, std::uint32_t turn);
    bool run(std::uint32_t thread, std::mt19937_64& random, std::uint32_t turn);
    bool deliver_one(std::mt19937_64& random);

    std::vector<std::uint32_t> unfinished_; // threads
    End end_;
};

} // namespace matchpoint::executions
