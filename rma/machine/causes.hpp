// Which steps of a run matter to how it ends: a dependency slice, backwards from what went wrong.
//
//   std::vector<bool> const kept = causes(machine, run, Operations(machine, run), {.property = 0});
//
// A step needs the last writes of the variables that it reads, and the conditions and assumptions that its process had
// to pass to get there; what a card executes needs the step that issued it. A write needs that of another process which
// it overwrites, so that lost updates are seen. The steps that are kept read and write the same values without the
// others. They are no schedule: a flush may wait for what is left out, and a process takes its other steps, too.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rma/machine/operations.hpp"

namespace matchpoint::rma {

struct Wrong {
    std::optional<std::size_t> property = {}; // broken in the last state; none if the last step goes wrong
    std::vector<std::size_t> steps = {};      // others that have to be kept
};

/// Whether each step of a run from the initial state on matters. Time: linear in the run.
std::vector<bool> causes(Machine const& machine, std::span<Transition const> run, Operations const& operations,
                         Wrong const& wrong);

} // namespace matchpoint::rma
