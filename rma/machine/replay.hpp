// Runs that somebody has found are executed by the machine before they are shown.
//
//   Replayed const end = replay(machine, run);
//   if (end.effect == Effect::faulted) ...
#pragma once

#include <span>

#include "rma/machine/machine.hpp"

namespace matchpoint::rma {

struct Replayed {
    State before; // the last step; without steps, the initial state
    State state;
    Effect effect = Effect::moved; // of the last step
};

/// Throws std::logic_error if a step is not enabled.
Replayed replay(Machine const& machine, std::span<Transition const> run);

} // namespace matchpoint::rma
