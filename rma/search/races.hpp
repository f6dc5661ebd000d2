// Data races: two accesses of one variable, not both of them reads, one of them a network card's, and nothing says
// which comes first. In terms of the machine: a run reaches a state where both are possible next steps. Two remote
// atomics on one variable do not race with each other.
//
//   RaceResult const found = find_races(program, {}, 100);
//   for (Race const& race : found.races) std::cout << print_schedule(machine, race.run);
//
// The reductions of the search keep races. A pending read stays until it is executed, with its write or just before its
// variable changes; and a step that is taken alone neither is an access of this kind nor ends one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rma/search/check.hpp"

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
    bool is_shortest = false;
};

struct RaceResult {
    Known known = Known::open; // whether there is one
    /// Two statements that race for a variable are there once, in the order in which the search finds them.
    std::vector<Race> races;
    bool are_all = false; // there are no others
    std::uint64_t states = 0;
};

/// Whether races have a run, for each of which there is another search.
enum class RaceRuns : std::uint8_t { shown, left_out };

/// At most `most` races, 1 or more. Throws LimitReached; if time runs out, there may be others. The bounds are those of
/// check_program().
RaceResult find_races(Program const& program, CheckOptions const& options, std::size_t most,
                      RaceRuns runs = RaceRuns::shown);

/// "process 1", or "2#1": whose step it is.
std::string who(Machine const& machine, Transition const& step);

/// "Y is written by 2#1, (put Y 1 X), and read by process 1, (load y Y)"
std::string print_race(Machine const& machine, Race const& race);

} // namespace matchpoint::rma
