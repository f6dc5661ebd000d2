// The reference machine: a state, and the rules that change it.
//
//   Machine machine(code, Buffering::infinite);
//   Outcome const outcome = run(machine, 0);                // the first trace of the file
//
// or entry by entry, or transition by transition (transition.hpp):
//
//   Step const step = machine.step({rho, channels});
//   Step const step = machine.apply(Deliver{channel});
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "machine/extent.hpp"
#include "machine/history.hpp"
#include "machine/machine_step.hpp"
#include "machine/queue_movement.hpp"
#include "machine/transition.hpp"

namespace matchpoint::machine {

class Machine {
public:
    /// In the initial state. The code has to outlive the machine.
    Machine(IndexedProgram const& code, Buffering buffering) : Machine(code, buffering, State(code)) {}
    /// In a state that some execution of the program reached.
    Machine(IndexedProgram const& code, Buffering buffering, State from)
        : code_(&code), buffering_(buffering), state_(std::move(from)) {}
    Machine(Machine const&) = delete;
    Machine& operator=(Machine const&) = delete;

    IndexedProgram const& code() const { return *code_; }
    Buffering buffering() const { return buffering_; }
    State const& state() const { return state_; }

    /// The observer has to outlive the machine. It hears of what comes from now on.
    void observe(Observer& observer) { observers_.add(observer); }

    /// MACHINE STEP of one trace entry. If it is stuck, s becomes error; another call after that throws
    /// std::logic_error. Throws LimitReached, with the state as before.
    Step step(Entry const& sigma);

    /// The trace has no more entries: stuck, and s = error, if a thread still has commands.
    Step end_of_trace();

    /// Applies one transition. A delivery that is not enabled is stuck and changes nothing; a command that is stuck
    /// makes s error, as in step(). Deliveries fire QueueMovement in front of the entry of the command that follows
    /// them. Throws LimitReached, with the state as before.
    Step apply(Execute t) { return step({t.rho, {}, t.peek}); }
    Step apply(Deliver t) { return process_queue_movement(state_, *code_, buffering_, t.channel, observers_); }
    Step apply(Transition const& t);

    /// Why a transition cannot be applied now; nullopt if it can. Observers hear nothing. Throws LimitReached.
    std::optional<Stuck> why_not(Transition const& t) { return preview(t).stuck; }
    /// What would become of a transition, without applying it: the status, or why it is stuck. As why_not().
    struct Preview {
        Status s;
        std::optional<Stuck> stuck;
    };
    Preview preview(Transition const& t);

    /// Gives a variable another value, as no rule does: what follows is not a run of the program. No observer hears of
    /// it. It can be undone like a transition, and is no part of an entry.
    void overwrite(Variable x, Value v);

    /// From now on transitions can be undone.
    void keep_history();
    /// What was recorded since; null if nothing is.
    History const* history() const { return history_.get(); }
    /// Undoes the last transition, or the error that ended the run. False: there is nothing to undo, or no history.
    bool undo() { return history_ != nullptr && history_->undo(state_); }
    /// Undoes the last entry: its command with the deliveries in front of it.
    bool back() { return history_ != nullptr && history_->undo_entry(state_); }
    /// Goes to another state that some execution of the program reached. Nothing before it can be undone.
    void restore(State const& state);

private:
    IndexedProgram const* code_;
    Buffering buffering_;
    State state_;
    Observers observers_;
    Workspace workspace_;
    std::unique_ptr<History> history_;
};

/// Where a run ended in error.
struct RunError {
    std::uint64_t entry;         // of the trace, from 0; its length if it is used up too early
    std::optional<Location> rho; // none if the trace is used up
    Stuck stuck;
};

/// How a trace ended.
struct Outcome {
    Status s = Status::success;
    std::uint64_t steps = 0; // machine steps completed with s below error
    std::optional<RunError> error;
};

/// Runs the rest of a trace of so many entries, from the machine's state on. Throws LimitReached.
Outcome run_entries(Machine& machine, std::size_t length, std::function<Entry(std::size_t)> const& entry,
                    Extent extent = Extent::complete);

/// Runs the rest of trace t of the program, from the machine's state on. Throws LimitReached.
Outcome run(Machine& machine, std::size_t t, Extent extent = Extent::complete);

} // namespace matchpoint::machine
