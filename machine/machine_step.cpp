#include "machine/machine_step.hpp"

#include "machine/queue_movement.hpp"

namespace matchpoint::machine {

namespace {

/// The movements of one entry: taken back unless the entry completes.
class Movements {
public:
    Movements(State& state, IndexedProgram const& code, std::span<Channel const> m, Observers const& observers)
        : state_(state), code_(code), m_(m), observers_(observers) {}
    Movements(Movements const&) = delete;
    Movements& operator=(Movements const&) = delete;
    ~Movements() {
        if (count_ == 0) return;
        for (std::size_t i = count_; i-- > 0;) take_movement_back(state_, code_, code_[m_[i]].beta);
        try {
            observers_.fire(state_, [&] { return event::MovementsTakenBack{m_.first(count_)}; });
        } catch (...) {
            // An observer that throws is why we may be here; a destructor must not throw, and the state is in order.
        }
    }

    /// ->q*
    Step process(Buffering buffering) {
        for (; count_ < m_.size(); ++count_) {
            Step step = process_queue_movement(state_, code_, buffering, m_[count_], observers_);
            if (step.is_stuck()) return step;
        }
        return Step::reduced();
    }
    void keep() { count_ = 0; }

private:
    State& state_;
    IndexedProgram const& code_;
    std::span<Channel const> m_;
    Observers const& observers_;
    std::size_t count_ = 0;
};

Step reduce_entry(State& state, IndexedProgram const& code, Buffering buffering, Entry const& sigma,
                  Observers const& observers, Workspace& workspace) {
    Location const rho = sigma.rho;
    if (!code.has(rho) || state.ctp[code.thread_of(rho)] != rho.index)
        return Step::stuck(Rule::machine_step, reason::NotNextCommand{rho});
    std::uint32_t const thread = code.thread_of(rho);
    observers.fire(state, [&] { return event::EntryTaken{state.trace, rho, thread}; });

    Movements movements(state, code, sigma.m, observers);
    if (Step step = movements.process(buffering); step.is_stuck()) return step;

    workspace.k.clear();
    Estate e{state, code,      buffering, observers,   code.command_at(rho),
             {},    {},        {},        workspace.k, workspace.completions,
             rho,   sigma.peek};
    if (!sigma.peek.is_none() && as_probe(e.command) == nullptr)
        return Step::stuck(Rule::machine_step, reason::WrongPeek{{}, code.movement_of(sigma.peek)});
    if (Step step = reduce_to_value(e); step.is_stuck()) return step;

    movements.keep();
    ++state.ctp[thread];
    --state.commands_left;
    ++state.trace;
    observers.fire(state, [&] { return event::MachineStep{state.trace - 1, rho, thread}; });
    return Step::reduced();
}

void become_error(State& state, std::optional<Location> rho, Step const& step, Observers const& observers) {
    Status const before = state.s;
    state.s = Status::error;
    observers.fire(state, [&] { return event::StuckAt{state.trace, rho, step.why(), before}; });
}

} // namespace

Step machine_step(State& state, IndexedProgram const& code, Buffering buffering, Entry const& sigma,
                  Observers const& observers, Workspace& workspace) {
    Step step = reduce_entry(state, code, buffering, sigma, observers, workspace);
    if (step.is_stuck()) become_error(state, sigma.rho, step, observers);
    return step;
}

Step trace_used_up(State& state, Observers const& observers) {
    Step step = Step::stuck(Rule::machine_step, reason::TraceUsedUp{state.commands_left});
    become_error(state, std::nullopt, step, observers);
    return step;
}

} // namespace matchpoint::machine
