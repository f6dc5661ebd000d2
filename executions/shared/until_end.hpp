// What the searches that show every execution of a program with shared variables have in common (classes.hpp,
// bounded_classes.hpp): executions go as far as they can on the recorded path.
//
// A thread stops in front of an assumption that is false, and goes on if another thread makes it true. A command to
// which no rule applies, as its divisor is zero, may be the end of its thread: then no thread later writes what the
// command reads, and the others go on as far as they can. A delivery takes place when a thread is at a wait that needs
// it, or at a probe at its endpoint; one that comes earlier than needed can as well come later. Which message a probe
// sees is a choice.
#pragma once

#include <optional>
#include <vector>

#include "executions/shared/sharing.hpp"

namespace matchpoint::executions {

class UntilEnd : public SharedScheduler {
public:
    struct Counts {
        std::uint64_t executions = 0; // ends so far: classes
        std::uint64_t states = 0;     // with more than one choice
        std::uint64_t left = 0;       // states left because all that follows was visited
    };

    virtual ~UntilEnd() = default;

    /// Runs to the end of an execution of the next class; its state and schedule stay until the next call. None if
    /// there is no further class, or none within so many more machine steps (then done() is false, and another call
    /// goes on from there). Throws LimitReached; the search cannot be used after that.
    std::optional<End> next(std::uint64_t steps = UINT64_MAX);
    bool done() const { return done_; }
    /// For an execution that ended in a fault: the commands in front of which threads stopped for good. fault() is of
    /// the first.
    std::vector<Location> const& ended() const { return ended_; }
    Counts const& counts() const { return counts_; }

    /// A data race that was found so far: the conflict, and the execution that leads to the state. Null if none was
    /// found; once done(), there is none.
    struct Race {
        Sharing::Conflict conflict;
        Schedule schedule;
    };
    Race const* race() const { return race_ ? &*race_ : nullptr; }

protected:
    /// One way on.
    struct Choice {
        Transition t;
        bool is_end = false; // no rule applies to the command, and its thread stops for good
        bool operator==(Choice const&) const = default;
    };

    /// The messages and the model have to outlive it. Without a model, all executions count.
    UntilEnd(MessageIndex const& messages, Buffering buffering, CausalModel const* model, State const* from = nullptr)
        : SharedScheduler(messages, buffering, model, from), endpoint_mark_(code().endpoints().size()) {}

    /// Examines a state that the search reaches: how the execution ended there. None if it opened a frame, or left the
    /// state.
    virtual std::optional<End> examine() = 0;
    /// Takes a choice of the newest frame, in whose state the machine is, and examines what comes of it.
    virtual std::optional<End> follow(Choice const& choice) = 0;

    /// A state to go back to, with its choices.
    struct Frame {
        Mark mark;
        std::uint32_t ended; // of ended_
        std::uint32_t first; // of what belongs to it in pool_: what sleeps there, and then its choices
        std::uint32_t next;  // choice
    };
    /// `asleep`: choices that are not to be taken.
    void open_frame(std::vector<Choice> const& choices, std::vector<Choice> const& asleep = {});

    /// Whether a thread has a command left, and has not stopped for good.
    bool goes_on(std::uint32_t thread) const;
    /// The next command of a thread that goes on, if it can be executed or may be the end of the thread. None if it is
    /// a probe.
    std::optional<Choice> command_of(std::uint32_t thread);
    /// Appends the messages that the next command of a thread that goes on can see, if it is a probe.
    void add_peeks_of(std::uint32_t thread, std::vector<Choice>& to) const;
    /// Appends the deliveries at an endpoint at which a thread waits, unless this was called for the endpoint since
    /// begin_choices().
    void add_deliveries_to(Endpoint beta, std::vector<Choice>& to);
    void begin_choices() { ++choices_; }
    /// The endpoint where deliveries matter to a thread's next command: it is a wait that a delivery can enable, a
    /// ready send, or a probe. None if they do not matter.
    std::optional<Endpoint> wanted_by(Location next) const;
    void take(Choice const& choice);
    /// Nothing can come next.
    End end_of_execution();
    /// To be called in each state that the search comes to.
    void look_for_race() {
        if (race_) return;
        if (auto const conflict = sharing_.data_race(state(), buffering())) race_ = Race{*conflict, schedule()};
    }

    std::vector<Location> ended_;
    std::vector<Frame> frames_;
    std::vector<Choice> pool_;
    Counts counts_;

private:
    /// Whether a command would write what one reads in front of which a thread has stopped for good.
    bool is_frozen(Location rho) const;

    std::optional<Race> race_;
    bool started_ = false;
    bool done_ = false;
    std::vector<std::uint64_t> endpoint_mark_; // the value of choices_ when its deliveries were added last
    std::uint64_t choices_ = 0;
    std::vector<Transition> deliveries_;
};

/// The endpoint at which a wait needs a message to be delivered.
Endpoint endpoint_of(IndexedProgram const& code, Wait const& wait);

} // namespace matchpoint::executions
