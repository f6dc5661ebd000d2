// Runs a program under D1 to D6 on the reference machine, without a trace. Threads run as far as they can. Then one
// delivery is chosen: the explorer tries every choice (explorer.hpp), a sample picks one at random (sample.hpp).
//
// Why threads can run on: under D1 to D6 commands of different threads are independent (machine/transition.hpp), and
// running a command never disables a delivery. What a command does therefore does not depend on when it runs.
//
// Under Runs::executions only the recorded path counts, and s does depend on the order: an assumption that is false
// ends the path for all threads. So a thread stops in front of it, and in front of a command that is stuck, and the
// others run on. Everything that can happen on the path happens then: an assertion that fails before some false
// assumption, in whatever order, fails in an execution that never gets to that assumption.
#pragma once

#include <optional>
#include <span>

#include "executions/runs.hpp"
#include "machine/machine.hpp"
#include "machine/schedule.hpp"
#include "matching/feasibility.hpp"

namespace matchpoint::executions {

/// How an execution ended.
enum class End : std::uint8_t {
    complete, // every thread is finished
    deadlock, // every unfinished thread is at a wait or a barrier, and no delivery helps
    fault,    // no rule applies to a thread's next command: a zero divisor
    off_path, // Runs::executions: a thread is at an assumption that is false, and none at a fault
    pruned,   // something can come next, but the search restricts what may
};

/// Sets m to the match set so far: every receive that a message was delivered to. For a program under D1 to D6.
void delivered(MessageIndex const& messages, State const& state, Matching& m);

class Scheduler {
public:
    /// From the initial state. The messages have to outlive it.
    Scheduler(MessageIndex const& messages, Buffering buffering, Runs runs = Runs::complete)
        : Scheduler(messages, buffering, runs, State(messages.code())) {}
    /// From a state that some execution reached.
    Scheduler(MessageIndex const& messages, Buffering buffering, Runs runs, State from);
    Scheduler(Scheduler const&) = delete;
    Scheduler& operator=(Scheduler const&) = delete;

    State const& state() const { return machine_.state(); }
    /// The execution so far as a trace. It leaves out deliveries that no command follows. Runs::complete: of a fault,
    /// its last entry is the command that is stuck.
    Schedule const& schedule() const { return path_; }
    /// Runs::executions: the assumptions that are false and the commands that are stuck in front of which threads
    /// stopped.
    std::vector<Location> const& halts() const { return halts_; }
    /// Sets m to the match set so far.
    void matching(Matching& m) const { delivered(messages_, state(), m); }
    /// Where and why an execution ended in a fault.
    std::optional<RunError> const& fault() const { return fault_; }
    /// Machine steps so far.
    std::uint64_t steps() const { return steps_; }
    Runs runs() const { return runs_; }

protected:
    IndexedProgram const& code() const { return machine_.code(); }
    Buffering buffering() const { return machine_.buffering(); }

    /// How an execution ended in which every thread has run as far as it can, and no delivery is left that is enabled
    /// and served. Throws std::logic_error if that is not so.
    End end_here();
    /// The same of a search that restricts what may come next: `pruned` if something can.
    End end_of_restricted();

    /// Runs::executions: takes the step that is stuck, of an execution that ended in a fault.
    void take_fault();

    /// The next command of a thread; none if it is finished.
    std::optional<Location> next_of(std::uint32_t thread) const {
        Location const next{state().ctp[thread]};
        return next.index < code().ctp().threads[thread].last ? std::optional(next) : std::nullopt;
    }
    /// Whether a command that comes next can be executed on the path: it waits for nothing, is no assumption that is
    /// false, and is not stuck. Throws LimitReached.
    bool can_step(Location rho) {
        return is_enabled(code(), state(), buffering(), Execute{rho}) && !halts_before(Execute{rho});
    }
    /// Whether it is an assumption that is false, or no rule applies to it and nothing will remove the reason. Throws
    /// LimitReached.
    bool halts_before(Execute next);
    /// Notes that the execution ends in a fault there, if no rule applies to a command that waits for nothing.
    bool ends_in_fault(Location rho);
    /// One command that can step, or one delivery that is enabled, and nothing else. Throws LimitReached.
    void execute(Location rho);
    void move(Channel c);

    /// Runs a thread as far as it can go. False: a fault. Throws LimitReached.
    bool advance(std::uint32_t thread);
    bool advance_all();
    /// From now on a thread stops in front of an arrival (machine/collectives.hpp): others may have to go first.
    void hold_arrivals() { holds_arrivals_ = code().has_contested_calls(); }
    /// Calls f with each arrival in front of which a thread has stopped, and that can step.
    template <typename F>
    void for_each_arrival(F f) {
        if (!holds_arrivals_) return;
        for (std::uint32_t t = 0; t < state().ctp.size(); ++t)
            if (auto const rho = next_of(t); rho && is_held(*rho) && can_step(*rho)) f(*rho);
    }
    /// Executes an arrival, and runs all threads. False: a fault. Throws LimitReached.
    bool arrive(Location rho);
    /// Delivers the oldest message of a channel, and runs the threads that this releases: of a plain program the
    /// receiver and, with zero buffering, the sender; of another one any. False: a fault. Throws LimitReached, and
    /// std::logic_error if the delivery is not enabled.
    bool deliver(Channel c);

    /// What can come next in a program that is not plain, where every thread has run as far as it can.
    struct Choice {
        Channel channel;  // whose oldest message is delivered, or seen; none if it is an arrival
        Location at = {}; // the probe that sees it, or the arrival; none if it is a delivery
        bool operator==(Choice const&) const = default;
    };
    /// Every delivery that some thread waits for, every message that a probe can see, and every arrival.
    void add_choices(std::vector<Choice>& to);
    /// Delivers the message, lets the probe see it, or executes the arrival; and runs the threads. False: a fault.
    /// Throws as deliver().
    bool take(Choice const& choice);
    /// One probe, which sees the oldest message of a lane, and nothing else.
    void see(Location rho, Channel lane);

    /// Whether an endpoint is worth serving now. For a plain program with infinite buffering: its thread is at a wait
    /// that needs more messages than were delivered, and as many are in transit. With zero buffering: it has a posted
    /// receive without a partner. For another program: is_wanted().
    bool is_served(Endpoint beta) const { return is_served(beta, messages_.channels_to(beta)); }
    /// The same, where nothing is in transit in channels other than these.
    bool is_served(Endpoint beta, std::span<Channel const> channels) const;
    /// Calls f with each channel whose oldest message can be delivered to an endpoint that is served.
    template <typename F>
    void for_each_delivery(Endpoint beta, F f) const {
        for (Channel const c : messages_.channels_to(beta))
            if (can_be_delivered(c)) f(c);
    }
    bool can_be_delivered(Channel c) const { return is_enabled(code(), state(), buffering(), Deliver{c}); }
    /// For a program that is not plain: whether a thread is at a probe, a ready send, or a wait for a receive or a
    /// send, at an endpoint. A delivery that comes earlier can as well come then: who gets what depends on the order
    /// of deliveries at an endpoint alone, and what commands post or send makes no match impossible. Nor does an
    /// mprobe: it does not see a message that a posted receive could get.
    bool is_wanted(Endpoint beta) const;
    /// The endpoint of the probe, ready send, or wait for a receive or a send that a thread is at; none if it is at
    /// another command.
    Endpoint waits_at(std::uint32_t thread) const;
    /// Whether the delivery from a channel, which is enabled and gives a posted receive its message, has to come: only
    /// messages of this source can be the receive's partner, the first of them that it admits is this one, and no
    /// receive that was posted earlier can get it.
    bool is_forced(Channel c) const;
    /// Whether a message from elsewhere, sent or not, could still be the partner of a receive.
    bool has_other_source(Endpoint beta, Action a_r, Endpoint alpha) const;
    /// Whether some thread is at a probe that can see a message.
    bool has_peek() const;
    /// Whether some endpoint is served, and a message can be delivered to it. Linear in the number of channels.
    bool has_delivery() const;
    /// The next command of a thread if it is a wait for a send or a receive; null if it is another one, or the
    /// thread is finished.
    Wait const* wait_of(std::uint32_t thread) const {
        std::uint32_t const next = state().ctp[thread];
        return next == code().ctp().threads[thread].last ? nullptr : code().wait_for_message({next});
    }
    /// The receive whose wait a thread is at; null if it is at none.
    Rcvi const* waits_for(std::uint32_t thread) const {
        Wait const* const wait = wait_of(thread);
        return wait == nullptr ? nullptr : code().as_rcvi(wait->a);
    }

    /// A point of the execution to go back to.
    struct Mark {
        std::size_t commands;   // of path_
        std::size_t deliveries; // of path_
    };
    Mark mark() const { return {path_.size(), path_.movements()}; }
    /// Undoes all transitions since a mark. The machine has to keep its history.
    void back_to(Mark const& mark);
    /// Starts again from a state that some execution of the program reached.
    void restart(State const& from);

    MessageIndex const& messages_;
    Machine machine_;

private:
    bool is_held(Location rho) const { return holds_arrivals_ && code().collectives()->is_arrival(state(), rho); }
    bool take(Location rho);
    bool may_halt(Location rho) const { return !may_halt_.empty() && may_halt_[rho.index]; }
    /// Whether a command that makes s so ends the path.
    bool leaves_path(Location rho, Status s) const;

    Runs runs_;
    bool holds_arrivals_ = false;
    std::vector<bool> may_halt_; // Runs::executions: assumptions, ready sends, what has a divisor that may be zero, and
                                 // what is about collectives that others may disagree with
    std::vector<Location> halts_;
    Schedule path_;
    std::uint64_t steps_ = 0;
    std::optional<RunError> fault_;
};

} // namespace matchpoint::executions
