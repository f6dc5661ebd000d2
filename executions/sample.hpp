// A random execution: every choice is made at random.
#pragma once

#include <random>
#include <vector>

#include "executions/serving.hpp"

namespace matchpoint::executions {

class Sample : public Serving {
public:
    /// From the initial state. Throws LimitReached.
    Sample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random, Runs runs = Runs::complete)
        : Sample(messages, buffering, random, runs, State(messages.code())) {}
    /// From a state that some execution reached.
    Sample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random, Runs runs, State from);
    End end() const { return end_; }

private:
    std::optional<Channel> choose(std::mt19937_64& random);
    std::optional<Channel> some_delivery(Endpoint beta, std::mt19937_64& random) const;
    End deliver_all(std::mt19937_64& random);
    End take_all(std::mt19937_64& random);

    End end_;
};

} // namespace matchpoint::executions
