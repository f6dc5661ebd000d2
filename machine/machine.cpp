#include "machine/machine.hpp"

#include <functional>
#include <stdexcept>

#include "base/overloaded.hpp"

namespace matchpoint::machine {

Step Machine::step(Entry const& sigma) {
    if (state_.s == Status::error) throw std::logic_error("Machine::step: the run has ended in error");
    return machine_step(state_, *code_, buffering_, sigma, observers_, workspace_);
}

Step Machine::end_of_trace() {
    if (state_.s == Status::error) throw std::logic_error("Machine::end_of_trace: the run has ended in error");
    if (state_.finished()) return Step::reduced();
    return trace_used_up(state_, observers_);
}

Step Machine::apply(Transition const& t) {
    return std::visit([this](auto const& transition) { return apply(transition); }, t);
}

Machine::Preview Machine::preview(Transition const& t) {
    History trial(*code_);
    Observers observers;
    observers.add(trial);
    Step const step = std::visit(
        overloaded{
            [&](Execute e) {
                return machine_step(state_, *code_, buffering_, {e.rho, {}, e.peek}, observers, workspace_);
            },
            [&](Deliver d) { return process_queue_movement(state_, *code_, buffering_, d.channel, observers); },
        },
        t);
    Preview preview{state_.s, step.is_stuck() ? std::optional(step.why()) : std::nullopt};
    trial.undo(state_);
    return preview;
}

void Machine::restore(State const& state) {
    state_ = state;
    if (history_ != nullptr) history_->clear();
}

void Machine::overwrite(Variable x, Value v) {
    std::swap(state_.h[x.index], v);
    if (history_ != nullptr) history_->overwritten(x, std::move(v));
}

void Machine::keep_history() {
    if (history_ != nullptr) return;
    history_ = std::make_unique<History>(*code_);
    observe(*history_);
}

Outcome run_entries(Machine& machine, std::size_t length, std::function<Entry(std::size_t)> const& entry,
                    Extent extent) {
    Outcome outcome;
    auto const ended = [&](Step const& step, std::optional<Location> rho) {
        outcome.error = RunError{machine.state().trace, rho, step.why()};
    };
    while (machine.state().trace < length && !outcome.error) {
        Entry const sigma = entry(machine.state().trace);
        if (Step const step = machine.step(sigma); step.is_stuck()) ended(step, sigma.rho);
    }
    if (!outcome.error && extent == Extent::complete)
        if (Step const step = machine.end_of_trace(); step.is_stuck()) ended(step, std::nullopt);
    outcome.s = machine.state().s;
    outcome.steps = machine.state().trace;
    return outcome;
}

Outcome run(Machine& machine, std::size_t t, Extent extent) {
    IndexedProgram const& code = machine.code();
    return run_entries(
        machine, code.program().traces[t].entries.size(), [&](std::size_t i) { return code.entry(t, i); }, extent);
}

} // namespace matchpoint::machine
