// The SMT machine of Figures 9 and 10: one run as an SMT problem. It is satisfiable if and only if the run fails (Lemma
// 3).
//
//   Expected<Problem, std::string> const problem = getSMT(code, 0, Buffering::infinite); // the program's first trace
//   if (!problem) complain(problem.error()); // it is not well-formed
//   std::string const text = print(*problem, code); // SMT-LIB 2.6
//
// The figures add two components to the reference machine: l (the last matched send of each channel) and smt = (defs
// constraints ML). No rule reads them except to extend them, so they live in this observer, and the rules stay the
// reference machine's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/expected.hpp"
#include "machine/machine.hpp"
#include "smt_machine/problem.hpp"
#include "smt_machine/translation.hpp"

namespace matchpoint::smt_machine {

class SmtMachine final : public Observer {
public:
    explicit SmtMachine(IndexedProgram const& code);

    void on(State const& state, Event const& event) override;

    /// getSMT (Definition 16): moves out the problem of a run that has ended. Refuses, with the reason, unless its
    /// final state is well-formed.
    Expected<Problem, std::string> getSMT(State const& state);

private:
    void machine_step(Location rho); // Figure 9, addHB
    void assume(Expression e);       // Figure 10 ...
    void assert_(Expression e);
    void assign(Variable x, Expression e);
    void sndi(event::SndiCommand const& e);
    void rcvi(event::RcviCommand const& e);
    void wait_rcvi(event::WaitRcviCommand const& e);

    void select(Variable y, Value const& v);
    void initial(SharedVariable const& s);
    void guard(Expression e);
    void store(event::GuardedAssignment const& e);
    void divisor_is_not_zero();

    Symbol new_version(Variable x, Sort sort);
    void constrain(Location rho, std::string_view what, Term t);
    Symbol order(Location rho) const { return p_.order[rho.index]; }
    void happens_before(Location rho, std::string_view what, Symbol before, Symbol after);

    IndexedProgram const* code_;
    Problem p_;
    std::vector<Action> l_;                    // channel -> its last matched send
    std::vector<std::uint32_t> first_version_; // variable -> the symbol of its version 1
    std::vector<std::uint32_t> versions_;      // variable -> its number of versions so far
    Translation translation_;
    std::vector<std::uint32_t> nth_; // location -> its number of constraints so far
    Location at_;                    // of the current entry
};

/// Why the final state of a run is not smt-enabled, that is, not well-formed (Definition 16); none if it is.
std::optional<std::string> why_not_smt_enabled(IndexedProgram const& code, State const& state);

/// Runs trace t and returns its problem.
Expected<Problem, std::string> getSMT(IndexedProgram const& code, std::size_t t, Buffering buffering);

} // namespace matchpoint::smt_machine
