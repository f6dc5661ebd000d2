// A run again, but with some operations executed earlier.
//
//   Rerun rerun(machine, run, operations);
//   if (rerun.outcome({{0, 3}}) == Rerun::Outcome::right) ... // operation 0 is executed before step 3
//
// Everything else comes in the same order, as far as it can: a process that cannot step yet steps later, and one whose
// assumption does not hold stops. After the run the processes go on, and cards execute operations at once.
#pragma once

#include <map>
#include <optional>
#include <span>

#include "rma/machine/operations.hpp"

namespace matchpoint::rma {

class Rerun {
public:
    enum class Outcome : std::uint8_t {
        wrong,  // an assertion or a property does not hold, or something divides by zero
        right,  // a final state is reached, and nothing is wrong
        so_far, // nothing is wrong, but it has no final state: it has no end, or stops after the steps of the run
        open,   // not even these can be taken: a process waits
    };
    /// From the number of an operation to the step before which it is executed; the end of the run is a step, too.
    using Moved = std::map<std::uint32_t, std::size_t>;

    /// The arguments have to outlive it.
    Rerun(Machine const& machine, std::span<Transition const> run, Operations const& operations)
        : machine_(machine), run_(run), operations_(operations) {}

    Outcome outcome(Moved const& moved) const;
    /// At most so many steps of processes.
    std::size_t steps() const { return run_.size() + rounds_after() * machine_.program().processes.size(); }

private:
    std::size_t rounds_after() const { return run_.size() + 100; }

    Machine const& machine_;
    std::span<Transition const> run_;
    Operations const& operations_;
};

} // namespace matchpoint::rma
