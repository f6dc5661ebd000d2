// Clauses for a SAT solver, with the reasons that a certificate gives for them, if one is wanted.
//
//   ReasonedClauses clauses(true);
//   auto const x = clauses.new_variable([] { return "match R S"; });
//   clauses.add({x}, [] { return "get R"; });
//   clauses.certificate();
#pragma once

#include <utility>
#include <vector>

#include "check/certificate.hpp"
#include "solve/sat_solver.hpp"

namespace matchpoint::check {

class ReasonedClauses {
public:
    using Literal = SatSolver::Literal;

    /// Without a certificate nobody asks for a meaning or a reason.
    explicit ReasonedClauses(bool keeps_certificate) : keeps_(keeps_certificate) {}

    SatSolver& sat() { return sat_; }
    SatSolver const& sat() const { return sat_; }

    /// `meaning()` is what the variable says.
    template <typename F>
    Literal new_variable(F meaning) {
        if (keeps_) certificate_.variables.emplace_back(meaning());
        return sat_.new_variable();
    }
    template <typename F>
    void add(std::vector<Literal> literals, F reason) {
        sat_.add(literals);
        ++count_;
        if (keeps_) certificate_.clauses.push_back({std::move(literals), reason()});
    }
    std::size_t count() const { return count_; }

    Certificate& certificate() { return certificate_; }

private:
    bool keeps_;
    SatSolver sat_;
    std::size_t count_ = 0;
    Certificate certificate_;
};

} // namespace matchpoint::check
