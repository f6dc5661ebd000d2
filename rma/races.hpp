// Data races: two accesses of one variable, not both of them reads, one of them a network card's, and nothing says which comes first.
// In terms of the machine: a run comes to a state where both are possible next steps. Two remote atomics on one variable do not
// race with each other.
//
//   RaceResult const found = find_race(program, {});
//   if (found.race) std::cout << print_schedule(machine, found.race->run);
//
// The reductions of the search keep races. A pending read stands there until it is executed, with its write or just before its
// variable changes; and a step that is taken alone neither is an access of this kind nor ends one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rma/check.hpp"

namespace matchpoint::rma {

struct Race {
    /// One of the two: the step of a process, or of a card for the remote statement s.
    struct Access {
        Transition step;
        StatementIndex statement;
        bool writes;
    };
    Variable x;
    Access first;
    Access second;
    std::vector<Transition> run; // to where both can come next
};

/// In a state; its run is only the last part: what cards have to do so that both can come next.
std::optional<Race> race_in(Machine const& machine, State const& state);

struct RaceResult {
    Known known = Known::open; // whether there is one
    std::optional<Race> race;
    std::uint64_t states = 0;
};

/// Throws LimitReached, but running out of time is Known::open. The bounds are those of check_program().
RaceResult find_race(Program const& program, CheckOptions const& options);

/// "Y is written by 2#1, (put Y 1 X), and read by process 1, (load y Y)"
std::string print_race(Machine const& machine, Race const& race);

} // namespace matchpoint::rma
