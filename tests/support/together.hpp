#pragma once

/// Many small problems in one: what a solver takes for each of them is its beginning, not its solution.

#include <functional>
#include <map>
#include <vector>

#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

/// Asks questions so many at a time. Those whose problem should be satisfiable are joined by `and`, and each gets its
/// part of the model; the others are joined by `or`. Where the answer is not the expected one, each is asked alone.
class Together {
public:
    Together(Solver& solver, std::size_t size) : solver_(&solver), size_(size) {}

    /// What is wrong with it or with one before it.
    Wrong ask(Question question);
    /// The same of those that are still to be asked.
    Wrong finish();

    std::size_t asked() const { return asked_; }     // questions
    std::size_t queries() const { return queries_; } // that the solver got for them

private:
    using Kind = std::pair<bool, std::string>; // what is expected, and what is set before all declarations

    Wrong flush(Kind const& kind, std::vector<Question>& questions);

    Solver* solver_;
    std::size_t size_;
    std::map<Kind, std::vector<Question>> waiting_;
    std::size_t asked_ = 0;
    std::size_t queries_ = 0;
};

} // namespace matchpoint::naive
