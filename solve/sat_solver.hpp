// A SAT solver in this process: CaDiCaL, behind as little as is needed.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "rooms.hpp"

namespace matchpoint::solve {

class SatSolver {
public:
    /// A variable's number, from 1, or that negated.
    using Literal = int;

    SatSolver();
    SatSolver(SatSolver const&) = delete;
    SatSolver& operator=(SatSolver const&) = delete;
    ~SatSolver();

    /// To be called first. From here on a proof is written to the file, in the text form of DRAT, of which every line is a
    /// clause that follows by unit propagation from those before it (RUP). False: the file cannot be written.
    bool write_proof(std::string const& path);
    /// To the end of it.
    void finish_proof();

    Literal new_variable() { return ++variables_; }
    int variables() const { return variables_; }
    void add(std::span<Literal const> clause);
    void add(std::initializer_list<Literal> clause) { add(std::span(clause.begin(), clause.size())); }
    /// Where nothing else decides, this literal is true.
    void prefer(Literal literal);

    enum class Answer : std::uint8_t { satisfiable, unsatisfiable, stopped };
    /// Of all clauses so far. `stop` is asked now and then; true: `stopped`. May throw std::bad_alloc.
    Answer solve(std::function<bool()> const& stop);
    /// Of the last solution.
    bool value(Literal literal) const;

    static char const* name_and_version();

private:
    struct Solver;
    std::unique_ptr<Solver> solver_;
    int variables_ = 0;
};

} // namespace matchpoint::solve
