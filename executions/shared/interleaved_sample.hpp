// A random execution of a program with shared variables: threads run in turns of random lengths, in a random order.
// Some can be held where they might block each other: first all of them in front of one command each, then all in front
// of a later one.
#pragma once

#include <random>
#include <span>

#include "executions/shared/sharing.hpp"

namespace matchpoint::executions {

class InterleavedSample : public SharedScheduler {
public:
    /// `turn`: how many commands a thread executes before another one may go on, on average; 1 or more. The messages
    /// have to outlive it. Linear in the length of the execution, times the number of threads that are blocked. Throws
    /// LimitReached.
    InterleavedSample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random, std::uint32_t turn)
        : InterleavedSample(messages, buffering, random, turn, Schedule(), {}) {}

    /// A thread is held in front of `first` until all of them are there, and then in front of `second` until nothing
    /// else can go on.
    struct Held {
        Location first;
        Location second;
    };
    /// The rest of an execution that begins so, without deliveries.
    InterleavedSample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random, std::uint32_t turn,
                      Schedule const& begins, std::span<Held const> held);
    End end() const { return end_; }

private:
    static constexpr std::uint32_t nowhere = 0xFFFF'FFFF;

    void run_on(std::mt19937_64& random, std::uint32_t turn, bool until_all_are_held);
    bool all_are_held() const;
    bool take_turn(std::mt19937_64& random, std::uint32_t turn);
    bool run(std::uint32_t thread, std::mt19937_64& random, std::uint32_t turn);
    bool deliver_one(std::mt19937_64& random);

    std::vector<std::uint32_t> unfinished_; // threads
    std::vector<std::uint32_t> held_at_;    // thread -> command; nowhere
    End end_;
};

} // namespace matchpoint::executions
