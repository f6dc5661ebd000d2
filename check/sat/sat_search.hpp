// Is there a run that fails? As a SAT problem, solved in this process.
//
//   SatAnswer const answer = solve(messages, {.asked = Asked::failure});
//   if (answer.run) show(answer.run->schedule);
//
// Each pair (R, S) that is left after pruning is one boolean. Everything else follows from these, and becomes clauses
// as far as it is needed:
//
//   matches   each receive gets one send, and each send goes to at most one receive (match_clauses.hpp);
//   channels  first in, first out, as a chain of implications (match_clauses.hpp);
//   property  its boolean structure, clause by clause; parts that depend on few values as tables (value_clauses.hpp);
//   cycles    none at first. If the match set of a solution has a cycle, feasibility.hpp finds it, and we add a
//             blocking clause over the matches on it. After a hundred such clauses, order_clauses.hpp excludes all
//             cycles at once, unless that takes too many clauses;
//   values    of all other parts of the property, none at first. We compute the values in the run of a solution. If a
//             part has another value than in the solution, we add what it follows from: x = 3 and y = 4 imply the part,
//             and the match of x implies x = 3.
//
// So the operators of the reference machine compute all values, whatever their types and size. A run is only returned
// after that machine has run it.
//
// Why `none` is right. Each clause holds in every run that is asked for: it says one of rules 1 to 4 of
// feasibility.hpp, or the property, or which value follows from matches (D4, D5). The inferences of the pruning hold in
// all of them, too (docs/checker.md, "Inferences"). So a run that is asked for would be a solution.
//
// Why it ends. If nothing is wrong, the match set keeps rules 1 to 4, and its run is one that is asked for. Otherwise
// the solution breaks a clause that is added, so it never comes back. Clauses speak of pairs, of parts of the property,
// and of values in the runs of match sets, and all of these are finitely many.
//
// The clauses about matches and channels grow with the number of pairs, and tables with the pairs of two receives. A
// solution costs a test of the rules and one run. In the worst case there are exponentially many solutions, and each is
// hard to find; but a clause about a few matches excludes all match sets that have them. Such clauses are lemmas on
// demand (de Moura, Ruess and Sorea, Lemmas on Demand for Satisfiability Solvers). In SAT modulo theories, the rules
// and the machine would be the theory.
//
// Under Runs::executions a failing run need not complete. Then executed_clauses.hpp says how far each thread gets, and
// assumptions and divisors count only as far as that. Where nothing can keep an execution from completing, these
// clauses are none, and the problem is that of complete runs.
//
// Before there is any clause, domains.hpp, candidate_windows.hpp and value_bounds.hpp narrow what receives can get.
// That alone may decide: no run is left, or one that keeps to the pairs that are left is of the kind that is asked for.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "check/activity.hpp"
#include "executions/asked.hpp"
#include "executions/runs.hpp"
#include "executions/search.hpp"
#include "matching/inferences.hpp"

namespace matchpoint::check {

struct SatAnswer {
    enum class Kind : std::uint8_t {
        found,   // a run
        none,    // there is no such run
        stopped, // `stop` said so
        beyond,  // it would take more than `most_pairs` pairs or `most_calls` calls
    } kind = Kind::stopped;
    std::optional<Run> run;

    // The work that was done.
    std::size_t pairs = 0;
    std::uint64_t solver_calls = 0;
    std::uint64_t cycles = 0; // blocking clauses
    std::uint64_t values = 0; // clauses
    InferenceCounts inferences;
};

struct SatOptions {
    Buffering buffering = Buffering::infinite;
    Runs runs = Runs::complete; // whose failures; other questions are about complete runs
    /// Runs::executions: every execution on the path can be completed, if assumptions do not count, and nothing divides
    /// by zero (executed_clauses.hpp). It need not be set, but makes the problem easier.
    bool extendable = false;
    Asked asked = Asked::failure;
    /// Whether a receive may get a send (numbers of MessageIndex): only runs with such matches count. Empty if all
    /// count.
    std::function<bool(Pair)> may_match;
    /// Polled; may be empty. Is told how long it would take to free what there is by then.
    std::function<bool(std::chrono::nanoseconds)> stop;
    std::size_t most_pairs = 30'000'000;
    std::uint64_t most_calls = UINT64_MAX;
    /// With so many pairs, one execution that keeps to them is tried before there are any clauses
    /// (executions/directed.hpp). With fewer, clauses are as quick.
    std::size_t direct_from = 2'000;
    Activity* activity = nullptr; // to be kept up to date; may be null
};

/// A run of the kind that is asked for, if there is one. Throws LimitReached, std::bad_alloc.
SatAnswer solve(MessageIndex const& messages, SatOptions const& options);

} // namespace matchpoint::check
