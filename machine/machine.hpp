// The reference machine: a state, and the rules that move it.
//
//   Machine machine(code, Buffering::infinite);
//   Outcome const outcome = run(machine, 0);          // the first trace of the file
//
// or entry by entry, for those who choose their own way:
//
//   Step const step = machine.step({rho, channels});
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "machine/history.hpp"
#include "machine/machine_step.hpp"

namespace matchpoint::machine {

class Machine {
public:
    /// The code has to outlive the machine.
    Machine(IndexedProgram const& code, Buffering buffering) : code_(&code), buffering_(buffering), state_(code) {}
    Machine(Machine const&) = delete;
    Machine& operator=(Machine const&) = delete;

    IndexedProgram const& code() const { return *code_; }
    Buffering buffering() const { return buffering_; }
    State const& state() const { return state_; }

    /// The observer has to outlive the machine. It hears of what comes from now on.
    void observe(Observer& observer) { observers_.add(observer); }

    /// MACHINE STEP of one trace entry. Stuck makes s error, and an error does not end: std::logic_error then.
    /// Throws LimitReached, with the state as before.
    Step step(Entry const& sigma);

    /// The trace has no more entries: stuck, and s = error, if a thread still has commands.
    Step end_of_trace();

    /// From now on steps can be taken back.
    void keep_history();
    /// Takes back the last step (or the error that ended the run). False if there is none, or no history.
    bool back();

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
Outcome run_entries(Machine& machine, std::size_t length, std::function<Entry(std::size_t)> const& entry);

/// Runs the rest of trace t of the program, from the machine's state on. Throws LimitReached.
Outcome run(Machine& machine, std::size_t t);

} // namespace matchpoint::machine
