// A SAT solver in this process: CaDiCaL with a minimal interface.
//
//   SatSolver solver;
//   SatSolver::Literal const x = solver.new_variable();
//   solver.add({x});
//   if (solver.solve({}) == SatSolver::Answer::satisfiable) use(solver.value(x));
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "rooms.hpp"

namespace matchpoint::solve {

class SatSolver {
public:
    /// A variable's number, from 1, or its negation.
    using Literal = int;

    SatSolver();
    SatSolver(SatSolver const&) = delete;
    SatSolver& operator=(SatSolver const&) = delete;
    ~SatSolver();

    /// Writes a proof to the file from now on; to be called first. The proof is in the text form of DRAT, and every
    /// clause in it follows from earlier ones by unit propagation (RUP). False: the file cannot be written.
    bool write_proof(std::string const& path);
    /// Closes the proof.
    void finish_proof();

    Literal new_variable() { return ++variables_; }
    int variables() const { return variables_; }
    void add(std::span<Literal const> clause);
    void add(std::initializer_list<Literal> clause) { add(std::span(clause.begin(), clause.size())); }
    /// The next solve() looks only for solutions with this literal. Later ones do not.
    void assume(Literal literal);
    /// Decides the variable this way, if nothing else determines it.
    void prefer(Literal literal);

    enum class Answer : std::uint8_t { satisfiable, unsatisfiable, stopped };
    /// Solves all clauses so far. Calls `stop`, if there is one, now and then; if it returns true, the answer is
    /// `stopped`. May throw std::bad_alloc.
    Answer solve(std::function<bool()> const& stop);
    /// The value in the last solution.
    bool value(Literal literal) const;

    /// About how long the destructor takes: 1.5 seconds for ten million clauses.
    std::chrono::nanoseconds time_to_free() const;

    /// From now on adds the conflicts of solve() to a count, for another thread to look at. It has to live as long as
    /// this.
    void count_conflicts(std::atomic<std::uint64_t>& count);

    static char const* name_and_version();

private:
    struct Solver;
    std::unique_ptr<Solver> solver_;
    int variables_ = 0;
    std::int64_t clauses_ = 0; // that were added
};

} // namespace matchpoint::solve
