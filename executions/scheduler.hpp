// Runs a program under D1 to D6 by the rules of the reference machine, without a trace: threads as far as they can go,
// and between that one delivery at a time, as somebody chooses. The explorer chooses all ways, a sampler one at random.
#pragma once

#include <optional>
#include <random>
#include <span>

#include "matching/feasibility.hpp"

namespace matchpoint::executions {

/// How an execution ended.
enum class End : std::uint8_t {
    complete, // every thread is finished
    deadlock, // every unfinished thread stands at a wait, and no delivery helps
    fault,    // no rule applies to a thread's next command: a zero divisor
    pruned,   // what a receive may get was restricted, and that stands against it
};

/// Who got what in a state, of all receives that something was delivered to; under D1 to D6.
void delivered(MessageIndex const& messages, State const& state, Matching& m);

class Scheduler {
public:
    /// The messages have to outlive it.
    Scheduler(MessageIndex const& messages, Buffering buffering);
    /// From a state that some execution reached; the schedule is what comes after it.
    Scheduler(MessageIndex const& messages, Buffering buffering, State const& from);
    Scheduler(Scheduler const&) = delete;
    Scheduler& operator=(Scheduler const&) = delete;

    State const& state() const { return state_; }
    /// The execution so far as a trace. Movements that no command follows are no part of it; of a fault it ends with
    /// the command that is stuck.
    Schedule const& schedule() const { return path_; }
    /// Who got what, of all receives that something was delivered to.
    void matching(Matching& m) const { delivered(messages_, state_, m); }
    /// Of a fault: where and why.
    std::optional<RunError> const& fault() const { return fault_; }
    /// Machine steps so far.
    std::uint64_t steps() const { return steps_; }

protected:
    IndexedProgram const& code() const { return messages_.code(); }
    /// Runs a thread as far as it can go. False: a fault. Throws LimitReached.
    bool advance(std::uint32_t thread);
    bool advance_all();
    /// Delivers the oldest message of a channel, to an endpoint that is served, and runs whom that releases: the
    /// receiver, and with zero buffering the sender. False: a fault. Throws LimitReached.
    bool deliver(Channel c);
    /// Whether an endpoint gets a message now. Infinite buffering: its thread stands at a wait that needs more messages
    /// than were delivered, and as many are in transit. Zero: it has a posted receive without a partner.
    bool is_served(Endpoint beta) const { return is_served(beta, messages_.channels_to(beta)); }
    /// The same, where nothing is in transit in other channels than these.
    bool is_served(Endpoint beta, std::span<Channel const> channels) const;
    /// The receive whose wait a thread stands at, or null.
    Rcvi const* waits_for(std::uint32_t thread) const;

    MessageIndex const& messages_;
    Buffering buffering_;
    State state_;
    Observers observers_;
    Schedule path_;
    std::uint64_t steps_ = 0;

private:
    bool is_blocked(Location rho) const;

    Workspace workspace_;
    std::optional<RunError> fault_;
};

/// One execution, with every choice made at random. Throws LimitReached.
class Sample : public Scheduler {
public:
    Sample(MessageIndex const& messages, Buffering buffering, std::mt19937_64& random);
    End end() const { return end_; }

private:
    std::optional<Channel> some_in_transit(Endpoint beta, std::mt19937_64& random) const;
    void deliver_all(std::mt19937_64& random);

    End end_;
    std::vector<std::vector<Channel>> live_; // endpoint -> its channels with a message that was not delivered yet
};

} // namespace matchpoint::executions
