// The runs of the machine in which processes take given steps, one after the other, to states that fit. Its network
// cards do what they like. So a few steps of processes decide whether a path that was found elsewhere is one of the
// machine.
//
//   Followed const followed = follow(machine, steps, options);
//   if (followed.violation) ...                      // a run along the steps that goes wrong
//   else std::cout << followed.steps << " of " << steps.size() << " steps";
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rma/search/check.hpp"

namespace matchpoint::rma {

/// A process moves from a statement to another one, or to its end; or (no_index) cards go on until the state fits.
struct StepAlong {
    ProcessIndex p = no_index;
    StatementIndex from = no_index;
    StatementIndex to = no_index;
    std::function<bool(State const&)> fits = {}; // whether the step may lead to this state; by default, to any
};

struct Followed {
    std::size_t steps = 0;                           // that the run takes; no run takes more
    std::vector<Transition> run;                     // of as many steps as possible
    std::optional<CheckResult::Violation> violation; // if a run along the steps goes wrong: then it is this one
    bool is_complete = true;                         // else another run may take more steps: not all were seen
};

struct FollowOptions {
    std::uint32_t pending = 3; // operations of each statement
    std::uint64_t max_bytes = std::uint64_t{1} << 30U;
    std::uint32_t max_states = 50'000;
};

/// Steps that do not move their process are left out of `steps`: they change nothing. Throws LimitReached.
Followed follow(Machine const& machine, std::vector<StepAlong> const& steps, FollowOptions const& options);

} // namespace matchpoint::rma
