// All executions of a program with shared variables, on the reference machine (docs/shared_memory.md).
//
//   Interleavings all(messages, {.buffering = Buffering::infinite});
//   while (auto const end = all.next()) use(*end, all.state(), all.schedule());
//
// Commands of different threads depend on each other here: what a read gets depends on when it comes. So the search branches on
// which thread steps next, and on the deliveries that some thread waits for. An execution ends where it leaves the recorded
// path: no false assumption is taken.
//
// Two reductions keep the verdict, deadlocks, faults and data races:
//
//   local commands   A command that conflicts with none that the other threads have left commutes with whatever they do and with
//                    deliveries, and nothing disables it. It runs as soon as its thread stands at it, and the search does not
//                    branch there.
//   merged states    Two states are one if their threads stand at the same commands, the same messages are on their way or
//                    delivered, s is equal, and every variable that is still to be read has the same value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "executions/key_set.hpp"
#include "executions/sharing.hpp"

namespace matchpoint::executions {

class Interleavings : public SharedScheduler {
public:
    struct Counts {
        std::uint64_t executions = 0; // ends so far
        std::uint64_t states = 0;     // with more than one choice
    };

    /// The messages have to outlive it.
    Interleavings(MessageIndex const& messages, Buffering buffering) : SharedScheduler(messages, buffering) {}

    /// Runs to the end of the next execution, whose state and schedule stay until the next call. None: there is no further
    /// execution, or none within so many more machine steps (then done() is false, and another call goes on from there).
    /// Throws LimitReached; the search cannot be used after that.
    std::optional<End> next(std::uint64_t steps = UINT64_MAX);
    bool done() const { return done_; }
    /// A data race that was found so far: the conflict, and the execution that leads to the state. Null: none.
    struct Race {
        Sharing::Conflict conflict;
        Schedule schedule;
    };
    Race const* race() const { return race_ ? &*race_ : nullptr; }
    Counts const& counts() const { return counts_; }

private:
    struct Frame {
        Mark mark;           // before its transitions
        std::uint32_t next;  // into pool_
        std::uint32_t first; // of its transitions in pool_; the frame's are the last ones
    };

    std::optional<End> examine();
    void add_choices();
    bool remember();

    KeySet seen_;
    std::string key_;
    std::vector<Frame> frames_;
    std::vector<Transition> pool_;
    std::optional<Race> race_;
    bool started_ = false;
    bool done_ = false;
    Counts counts_;
};

} // namespace matchpoint::executions
