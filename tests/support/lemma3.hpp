#pragma once

/// Lemma 3 on random cases: a well-formed run's problem is satisfiable exactly when its status is failure.

#include <array>
#include <iosfwd>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "solve/solver.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/plain.hpp"

namespace matchpoint::naive {

/// What became of a case.
enum class Lemma3Verdict {
    holds,
    not_well_formed, ///< Definition 16 has no problem for it
    broken,          ///< the solver and the machine disagree
    no_answer        ///< unknown, timeout, crash
};

struct Lemma3Result {
    Lemma3Verdict verdict = Lemma3Verdict::holds;
    std::size_t status = 0;  ///< success, failure, infeasible
    std::string explanation; ///< of what is not `holds`
};

/// The answers to problems asked before, by their whole text.
using Lemma3Answers = std::unordered_map<std::string, Answer>;

/// Asks the solver about one case, unless its problem is among the answers, to which it is added.
Lemma3Result check_lemma3(Case const& c, Solver& solver, Lemma3Answers* answers = nullptr);

/// How often what was covered.
struct Lemma3Histogram {
    std::array<std::array<std::size_t, 3>, 2> status{}; ///< buffering, status: of the cases that had a problem
    std::size_t not_well_formed = 0;
    std::size_t several_assertions = 0;
    std::size_t no_assertion = 0;
    std::size_t redefined_variable = 0; ///< assigned or received into more than once
    std::size_t sent_expression = 0;
    std::size_t marking = 0;           ///< fewer waits on receives than receives, or waits out of order
    std::size_t several_endpoints = 0; ///< of one thread
    std::size_t booleans = 0;
    std::size_t division = 0;
    std::size_t big_integers = 0; ///< beyond 64 bits

    void count(Case const& c, Lemma3Result const& r);
    void add(Lemma3Histogram const& other);
    std::size_t cases() const;
    /// Each of the figures with its name.
    std::vector<std::pair<std::string, std::size_t>> rows() const;
    void print(std::ostream& out) const;
};

} // namespace matchpoint::naive
