// A solver's answers to many small problems, one after the other.
//
// Most of what a campaign asks takes a tenth of a millisecond to solve. z3 takes milliseconds for a (reset) between two
// problems, and much less for a (pop 1); but in a scope it lacks its preprocessing, and may not find what it finds without.
// So what is not too large is asked in a scope of a process that has seen no other logic, and what is not answered there
// soon is asked once more, as it would have been without.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "solve/solver.hpp"

namespace matchpoint::validate {

/// As a Solver, it is used by one thread at a time.
class Answers {
public:
    explicit Answers(SolverCommand const& command, SolverLimits const& limits = {});

    SolverCommand const& command() const { return thorough_.command(); }

    /// As Solver::check.
    Answer check(std::string_view problem, Wanted wanted = {});

    /// Whether it is satisfiable, if the solver knows. What it said before is kept: programs differ more than their
    /// problems do.
    std::optional<bool> is_sat(std::string const& problem);

private:
    Solver linear_, nonlinear_; // in scopes
    Solver thorough_;
    std::unordered_map<std::string, bool> known_;
    std::size_t known_bytes_ = 0;
};

} // namespace matchpoint::validate
