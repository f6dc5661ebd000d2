// Which operations make a run go wrong because they were executed late: what a flush would have prevented.
//
//   Lateness const found = lateness(machine, run, Operations(machine, run), 0);
//   for (Late const& late : found.late) std::cout << late.operation << " was pending at step " << late.passed << "\n";
//
// An operation is late if its process went on while it was pending, or left the `atomic` in which it was issued, and
// another process went on. It is blamed if the machine, given the same run
// with this operation executed before the process goes on, gets to an end at which nothing is wrong.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rma/machine/operations.hpp"

namespace matchpoint::rma {

struct Late {
    std::uint32_t operation; // into Operations::all()
    std::size_t passed;      // the step before which it has to be executed: the last such step
};

struct Lateness {
    enum class Answer : std::uint8_t {
        late,       // had one of these been executed in time, the run would not go wrong
        together,   // had all of these
        in_between, // it needs steps of others before an operation has read and written, but none of its own process
        as_well,    // it goes wrong as well if every operation is executed at once
        open,       // not known: a changed run has no end, or there are too many. Under SC nothing is late
    };
    Answer answer = Answer::open;
    std::vector<Late> late; // in the order of their issue; of equal statements once
};

/// Why a run from the initial state on goes wrong. `property`: the one that is broken at its end; none if its last step
/// is what goes wrong.
Lateness lateness(Machine const& machine, std::span<Transition const> run, Operations const& operations,
                  std::optional<std::size_t> property);

} // namespace matchpoint::rma
