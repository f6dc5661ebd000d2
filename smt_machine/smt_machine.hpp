// The SMT machine of Figures 9 and 10: the reference machine, and this observer of its rules.
//
// The figures' machine has two more components, l (the last matched send of each channel) and smt = (defs constraints
// ML). They are only ever written, by the rules that Figures 9 and 10 change; so they live here, and every rule of the
// semantics is the reference machine's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grammar/expected.hpp"
#include "machine/machine.hpp"
#include "smt_machine/problem.hpp"
#include "smt_machine/translation.hpp"

namespace matchpoint::smt_machine {

class SmtMachine final : public Observer {
public:
    explicit SmtMachine(IndexedProgram const& code);

    void on(State const& state, Event const& event) override;

    /// getSMT (Definition 16): the problem of a run that has ended. Refused, with the reason, unless its state is
    /// well-formed. Leaves nothing behind.
    Expected<Problem, std::string> getSMT(State const& state);

private:
    void machine_step(Location rho); // Figure 9, addHB
    void assume(Expression e);       // Figure 10 ...
    void assert_(Expression e);
    void assign(Variable x, Expression e);
    void sndi(event::SndiCommand const& e);
    void rcvi(event::RcviCommand const& e);
    void wait_rcvi(event::WaitRcviCommand const& e);

    void divisor_is_not_zero();

    Symbol new_version(Variable x, Sort sort);
    void constrain(Location rho, std::string_view what, Term t);
    Symbol order(Location rho) const { return p_.order[rho.index]; }
    void happens_before(Location rho, std::string_view what, Symbol before, Symbol after);

    IndexedProgram const* code_;
    Problem p_;
    std::vector<Action> l_;                    // channel -> its last matched send
    std::vector<std::uint32_t> first_version_; // variable -> the symbol of its version 1
    std::vector<std::uint32_t> versions_;      // variable -> how many it has so far
    Translation translation_;
    std::vector<std::uint32_t> nth_; // location -> how many constraints it has given
    Location at_;                    // the entry's location
};

/// Why the final state of a run is not smt-enabled (Definition 16), which is to say not well-formed; none if it is.
std::optional<std::string> why_not_smt_enabled(IndexedProgram const& code, State const& state);

/// Runs trace t from the beginning under a buffering and gives its problem.
Expected<Problem, std::string> getSMT(IndexedProgram const& code, std::size_t t, Buffering buffering);

} // namespace matchpoint::smt_machine
