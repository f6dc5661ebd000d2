// Where a program divides by zero: a run to there, and what does.
//
//   if (check_program(program, options).faulted == Known::yes)
//       if (auto const fault = find_fault(program, options)) std::cout << print_schedule(machine, fault->run);
#pragma once

#include <optional>
#include <vector>

#include "rma/search/check.hpp"

namespace matchpoint::rma {

struct Fault {
    std::vector<Transition> run;              // from the initial state on
    StatementIndex statement = no_index;      // that divides by zero in the last step; no_index: a property does
    std::optional<std::size_t> property = {}; // that divides by zero in the state after the run
};

/// None if no run divides by zero, or none was found in time and within the bounds, which are those of check_program().
/// The run has been replayed. Throws LimitReached, but not if time runs out.
std::optional<Fault> find_fault(Program const& program, CheckOptions const& options);

} // namespace matchpoint::rma
