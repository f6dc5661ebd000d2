#pragma once

/// Random executions of the machine, one command at a time.

#include <optional>
#include <vector>

#include "machine/transition.hpp"
#include "programs/dice.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::naive {

/// One of the commands that are enabled under infinite buffering. None if there is none.
inline std::optional<Location> some_next_command(Machine const& machine, programs::Dice& dice) {
    machine::State const& state = machine.state();
    std::vector<Location> next;
    for (std::uint32_t t = 0; t < state.ctp.size(); ++t) {
        Location const rho{state.ctp[t]};
        if (rho.index < machine.code().ctp().threads[t].last &&
            is_enabled(machine.code(), state, Buffering::infinite, Execute{rho}))
            next.push_back(rho);
    }
    if (next.empty()) return std::nullopt;
    return dice.one_of(next);
}

/// Executes a command. Whether it is executed, and the status is neither infeasible nor worse.
inline bool stays_on_path(Machine& machine, Location rho) {
    return !machine.apply(Execute{rho}).is_stuck() && machine.state().s < machine::Status::infeasible;
}

} // namespace matchpoint::naive
