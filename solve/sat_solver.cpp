#include "solve/sat_solver.hpp"

#include <cadical.hpp>

#include "base/limits.hpp"

namespace matchpoint::solve {

struct SatSolver::Solver {
    /// Is offered the clause that is learned from each conflict, and takes none.
    struct Counter : CaDiCaL::Learner {
        std::atomic<std::uint64_t>* count = nullptr;
        bool learning(int) override {
            count->fetch_add(1, std::memory_order_relaxed);
            return false;
        }
        void learn(int) override {}
    };

    Counter counter; // outlives the solver
    CaDiCaL::Solver cadical;
};

SatSolver::SatSolver() : solver_(std::make_unique<Solver>()) {
    solver_->cadical.set("quiet", 1);
    solver_->cadical.set("stabilize", 0); // our problems propagate a lot and conflict early, so restarts help
}
SatSolver::~SatSolver() = default;

bool SatSolver::write_proof(std::string const& path) {
    solver_->cadical.configure("plain"); // the inprocessing that this turns off writes steps that are not RUP
    solver_->cadical.set("binary", 0);
    return solver_->cadical.trace_proof(path.c_str());
}

void SatSolver::finish_proof() { solver_->cadical.close_proof_trace(); }

void SatSolver::add(std::span<Literal const> clause) {
    spend(8 + 4 * clause.size());
    ++clauses_;
    for (Literal const l : clause) solver_->cadical.add(l);
    solver_->cadical.add(0);
}

void SatSolver::assume(Literal literal) { solver_->cadical.assume(literal); }

void SatSolver::prefer(Literal literal) { solver_->cadical.phase(literal); }

void SatSolver::count_conflicts(std::atomic<std::uint64_t>& count) {
    solver_->counter.count = &count;
    solver_->cadical.connect_learner(&solver_->counter);
}

SatSolver::Answer SatSolver::solve(std::function<bool()> const& stop) {
    struct Terminator : CaDiCaL::Terminator {
        std::function<bool()> const& asked;
        explicit Terminator(std::function<bool()> const& f) : asked(f) {}
        bool terminate() override { return asked(); }
    } terminator(stop);
    if (stop) solver_->cadical.connect_terminator(&terminator);
    int const status = solver_->cadical.solve();
    if (stop) solver_->cadical.disconnect_terminator();
    return status == 10 ? Answer::satisfiable : status == 20 ? Answer::unsatisfiable : Answer::stopped;
}

bool SatSolver::value(Literal literal) const { return solver_->cadical.val(literal) > 0; }

std::chrono::nanoseconds SatSolver::time_to_free() const {
    constexpr std::int64_t nanoseconds_a_clause = 150;
    return std::chrono::nanoseconds(nanoseconds_a_clause * clauses_);
}

char const* SatSolver::name_and_version() {
    static std::string const text = std::string("CaDiCaL ") + CaDiCaL::Solver::version();
    return text.c_str();
}

} // namespace matchpoint::solve
