#pragma once

/// Many small problems in one: what a solver takes for each of them is its beginning, not its solution.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/all_rooms.hpp"
#include "tests/support/verdicts.hpp"

namespace matchpoint::naive {

/// Asks questions so many at a time, and those whose problems differ in names only once. Problems that should be
/// satisfiable are joined by `and`, and each gets its part of the model; the others are joined by `or`. Where the
/// answer is not the expected one, each is asked alone.
class Together {
public:
    Together(Solver& solver, std::size_t size) : solver_(&solver), size_(size) {}

    /// What is wrong with it or with one before it.
    Wrong ask(Question question);
    /// The same of those that are still to be asked. What was answered is forgotten.
    Wrong finish();

    std::size_t asked() const { return asked_; }           // questions
    std::size_t problems() const { return problems_; }     // that differ
    std::size_t queries() const { return queries_; }       // that the solver got for them
    std::size_t unanswered() const { return unanswered_; } // queries without an answer, whose parts had one

private:
    /// A problem whose constants are named by sort and first use: i0, i1, ... are integers, b0, b1, ... booleans, f0,
    /// f1,
    /// ... functions of an integer.
    struct Problem {
        std::string assertions;
        std::map<std::string, std::string, std::less<>> symbols; // in the problem as it was -> here

        Problem(std::string_view problem, std::string& settings);
    };
    struct Waiting {
        Question question;
        std::map<std::string, std::string, std::less<>> symbols;
    };
    struct Known {
        std::vector<Waiting> waiting;
        std::map<std::string, std::string, std::less<>> model; // in a satisfiable one: constant -> value
        bool answered = false;
    };
    struct Kind {
        std::map<std::string, Known> known; // by its assertions
        std::vector<std::map<std::string, Known>::iterator> batch;
    };

    Wrong flush(bool sat, std::string const& settings, Kind& kind);
    static Wrong judge(Waiting const& w, Known const& known);

    Solver* solver_;
    std::size_t size_;
    std::map<std::pair<bool, std::string>, Kind> kinds_; // by what is expected, and what is set before all declarations
    std::size_t asked_ = 0;
    std::size_t problems_ = 0;
    std::size_t queries_ = 0;
    std::size_t unanswered_ = 0;
};

} // namespace matchpoint::naive
