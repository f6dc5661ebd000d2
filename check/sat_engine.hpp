// All executions of a program as a SAT problem, solved in this process: is there a complete run that fails?
//
// What is matched is one boolean for each pair (R, S) that is left after pruning. Everything else follows from it, and is
// told to the solver as far as it is needed:
//
//   matches    each receive gets one send; each send goes to one receive at most;
//   channels   received(S, n): S is received by one of the first n receives at its endpoint. received(S', n) implies
//              received(S, n - 1) for consecutive sends S, S' of a channel: first in, first out as a chain of implications;
//   skeleton   the property's boolean structure, clause by clause (Tseitin). Where a part of it depends on no more than two
//              receives of constants it is a table over their sends, without those that cannot be together;
//   cycles     none at first. A solution's match set is asked of the oracle of feasibility.hpp, and what it answers, a
//              cycle's matches, is a clause more. After a hundred of them, order_clauses.hpp, unless they are too many;
//   values     of the other parts none at first either. The run of a solution gives the values; a part that the solution
//              has otherwise gets the clause (x = 3 and y = 4 imply the part), and x = 3 gets what it follows from.
//
// So what is not a matter of matches is always computed by the operators of the reference machine, whatever the values
// and the operators are. A run is only returned after that machine has run it.
//
// Before all that, domains.hpp narrows what receives can get, and the property may be decided by that alone.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "encode/encoder.hpp"
#include "executions/search.hpp"

namespace matchpoint::check {

struct SatAnswer {
    enum class Kind : std::uint8_t {
        found,   // a run
        none,    // there is no such run
        stopped, // `stop` said so
        beyond,  // more pairs than `most_pairs`, or more than `most_calls`
    } kind = Kind::stopped;
    std::optional<Run> run;

    // What was done.
    std::size_t pairs = 0;
    std::uint64_t solver_calls = 0;
    std::uint64_t cycles = 0; // clauses for them
    std::uint64_t values = 0; // clauses for them
};

struct SatOptions {
    Buffering buffering = Buffering::infinite;
    Asked asked = Asked::failure;
    std::function<bool()> stop;          // asked now and then
    std::size_t most_pairs = 30'000'000; // some 500 bytes each, when it comes to solving
    std::uint64_t most_calls = UINT64_MAX;
};

/// A complete run with the outcome that is asked for, if there is one. Throws LimitReached, std::bad_alloc.
SatAnswer solve(MessageIndex const& messages, SatOptions const& options);

} // namespace matchpoint::check
