// An execution that looks for its next delivery where something has changed, not at all endpoints: each step takes time
// that does not grow with the number of threads. For a program that is not plain (IndexedProgram), it looks at all
// endpoints: a delivery can let any thread go on.
#pragma once

#include <vector>

#include "executions/scheduler.hpp"

namespace matchpoint::executions {

class Serving : public Scheduler {
protected:
    Serving(MessageIndex const& messages, Buffering buffering, Runs runs)
        : Serving(messages, buffering, runs, State(messages.code())) {}
    /// From a state that some execution reached.
    Serving(MessageIndex const& messages, Buffering buffering, Runs runs, State from)
        : Scheduler(messages, buffering, runs, std::move(from)), is_listed_(messages.code().endpoints().size()) {}

    /// Runs all threads, and lists the endpoints that are sent messages. False: a fault.
    bool begin();
    /// Delivers the oldest message of a channel, and lists the endpoints that may have come to be served. False: a
    /// fault.
    bool serve(Channel c);

    /// Some endpoints, among them all that a message can be delivered to.
    std::vector<Endpoint>& listed() { return listed_; }
    /// No message can be delivered at the last one that is listed.
    void unlist_last();
    /// The channels of an endpoint that have messages left to be delivered, in any order.
    std::vector<Channel> const& live(Endpoint beta) const { return live_[beta.index]; }

private:
    void list(Endpoint beta);
    void list_all();
    void list_what_changed(std::uint32_t thread, std::uint32_t since);

    void list_live_channels();
    void retire(Channel c);

    std::vector<Endpoint> listed_;
    std::vector<bool> is_listed_; // endpoint
    std::vector<std::vector<Channel>> live_;
    std::vector<std::uint32_t> place_of_; // channel -> its place in live_
};

} // namespace matchpoint::executions
