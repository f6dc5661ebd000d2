// A solver for many small problems, one after the other, most of which it has seen before.
//
//   CachingSolver solver(command, {.time = std::chrono::seconds(30)});
//   std::optional<bool> const sat = solver.is_sat(problem);
//
// z3 solves most problems of a campaign in a tenth of a millisecond, but takes milliseconds for a (reset) between two
// of them, and with (set-logic ALL) twenty. A (pop 1) is much faster, but in a scope z3 skips its preprocessing, and
// may not find an answer. So we solve small problems in a scope, in a process for their logic; if no answer comes soon,
// we ask again outside of any scope.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "solve/solver.hpp"

namespace matchpoint::validate {

/// Like a Solver, it is used by one thread at a time.
class CachingSolver {
public:
    explicit CachingSolver(SolverCommand const& command, SolverLimits const& limits = {});

    SolverCommand const& command() const { return thorough_.command(); }

    /// As Solver::check; not cached.
    Answer check(std::string_view problem, Produce produce = {});

    /// Whether the problem is satisfiable, if the solver knows. Cached, since different programs often give the same
    /// problem.
    std::optional<bool> is_sat(std::string const& problem);

private:
    Solver linear_, nonlinear_, other_; // with scopes
    Solver thorough_;                   // without
    std::unordered_map<std::string, bool> known_;
    std::size_t known_bytes_ = 0;
};

} // namespace matchpoint::validate
