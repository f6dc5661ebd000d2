// What each step of a run reads of the shared variables, and which step wrote it: the relation that memory models call
// reads-from.
//
//   step 9   b5 (balance := (+ b 50))   writes balance
//   step 13  a5 (balance := (+ a 30))   writes balance
//   step 16  check (assert (= balance 180))   reads balance from step 13
//
//   ReadsFrom shared(code);
//   ReadsFromRecorder recorder(shared);
//   machine.observe(recorder);
//   run(machine, trace);
//   for (ReadsFrom::Read const& r : shared.of(16)) ... // r.x is balance, r.from is 13
#pragma once

#include <span>
#include <vector>

#include "machine/observer.hpp"
#include "machine/schedule.hpp"

namespace matchpoint::explain {

struct ReadsFrom {
    /// Nobody has written the variable: it has its initial value.
    static constexpr std::uint32_t initial = 0xFFFF'FFFF;

    struct Read {
        std::uint32_t step; // the entry of the trace, from 0
        Variable x;
        std::uint32_t from; // the step whose write it gets, or initial
        Value v;
    };
    /// In the order of the steps; one for each variable that a step reads.
    std::vector<Read> reads;
    struct Write {
        std::uint32_t step;
        Variable x;
    };
    /// In the order of the steps; one for each variable that a step writes.
    std::vector<Write> writes;
    /// Variable -> the steps that wrote it, in their order. Empty for a variable that is not shared.
    std::vector<std::vector<std::uint32_t>> writers;
    std::vector<bool> is_shared;

    ReadsFrom() = default;
    explicit ReadsFrom(IndexedProgram const& code);

    /// The reads of a step.
    std::span<Read const> of(std::uint32_t step) const;
    /// The last step that wrote a variable among the first `steps` steps, or initial.
    std::uint32_t last_writer(Variable x, std::uint32_t steps = initial) const;
};

/// Records a run from its initial state on.
class ReadsFromRecorder final : public Observer {
public:
    /// What it records goes there, which has to outlive it.
    explicit ReadsFromRecorder(ReadsFrom& to) : to_(&to), read_at_(to.is_shared.size(), ReadsFrom::initial) {}

    void on(State const& state, Event const& event) override;
    /// Steps were taken back, and this many are left. If this is not called, the next entry drops them.
    void back_to(std::uint64_t steps);

private:
    void read(event::VariableLookup const& e);
    void write(Variable x);

    ReadsFrom* to_;
    std::uint32_t step_ = 0;
    std::vector<std::uint32_t> read_at_;                      // variable -> the last step that read it, or initial
    std::vector<std::pair<std::uint32_t, Variable>> written_; // all writes: step and variable
};

/// For a run, as far as it goes. Throws LimitReached.
ReadsFrom reads_from(IndexedProgram const& code, Buffering buffering, Schedule const& schedule);

} // namespace matchpoint::explain
