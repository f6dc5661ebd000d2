#pragma once

/// The SMT machine to the letter of the paper, to be refuted: an observer of the reference machine that writes down, as
/// text, what Figures 9 and 10 add to smt = (defs constraints ML). Each place where the letter is known to be wrong has
/// a switch, named after its erratum (docs/smt.md); without any the problem is the one that SmtMachine makes, made here
/// without its code. For programs under rules D1 to D6.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "machine/machine.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::naive {

/// Where the paper is followed to the letter.
struct Letter {
    bool E5 = false;  ///< Figure 10, Definition 9: the negation of every assertion is a constraint
    bool E6 = false;  ///< Figure 10, Definition 9: no assertion, no constraint
    bool E7 = false;  ///< Figure 10: (= x e), where x is one constant, however often it is defined
    bool E27 = false; ///< Figure 10: getlastsend/replace goes by the waits
    bool E28 = false; ///< Figure 10: (MATCH a_r a_s) for the receive that the wait names, and for no other
    bool E30 = false; ///< Definitions 11 and 17: nothing is said of a receive outside of dom(ML)
    bool E31 = false; ///< Figure 10: the expression e is taken as it is, divisors included
    bool E32 = false; ///< Figure 9 orders locations, Definitions 5, 7 and 10 order actions; nothing ties the two
};

/// smt ::= (defs constraints ML), and what is asserted. Sets, because the paper's lists are conjunctions.
struct LiteralProblem {
    std::map<std::string, std::string> defs; ///< constant -> its sort
    std::set<std::string> constraints;
    std::map<std::string, std::set<std::string>> ML; ///< receive -> its match pairs, as Definition 10 has them
    std::set<std::string> receives;                  ///< all of them
    std::set<std::string> assertions;                ///< the expressions that are asserted
    bool two_sorts = false;                          ///< with E7 only: a constant of two sorts, so there is no problem
    bool nonlinear = false;
};

class LiteralSmtMachine final : public Observer {
public:
    LiteralSmtMachine(IndexedProgram const& code, Letter letter) : code_(&code), letter_(letter) {}

    void on(matchpoint::State const& state, Event const& event) override;

    LiteralProblem const& smt() const { return smt_; }

private:
    using Term = std::pair<std::string, std::string>; // as SMT-LIB, and its sort

    // One function for each rule that the figures change.
    void machine_step(Location rho_0);
    void assume(matchpoint::Expression e);
    void assert_(matchpoint::Expression e);
    void assign(Variable x, matchpoint::Expression e);
    void sndi(event::SndiCommand const& e);
    void rcvi(event::RcviCommand const& e);
    void wait_rcvi(event::WaitRcviCommand const& e);

    void HB(std::string const& before, std::string const& after);
    void MATCH(Action a_r, Action a_s);

    std::string define(std::string const& constant, std::string const& sort);
    Term term(matchpoint::Expression e);
    std::string order(Location rho);
    std::string order(Action a);
    std::string nw(Action a_r);
    std::string select(Action a, std::string const& field, std::string const& sort = "Int");
    std::string current(Variable x) const;
    std::string redefined(Variable x, std::string const& sort);

    IndexedProgram const* code_;
    Letter letter_;
    LiteralProblem smt_;
    std::map<Channel, Action> l_; // the last send of each channel
    Location at_;                 // of the command
    std::map<Variable, std::size_t> versions_;
    std::map<Action, Location> nw_;                        // receive -> the wait that completed it
    std::map<Action, std::pair<Variable, Term>> received_; // receive -> value_R
    std::map<Action, std::string> sort_of_value_;          // of a send
};

/// Runs trace t and gives its problem, if the run is well-formed (Definition 16) and the constants have one sort each.
std::optional<LiteralProblem> literal_getSMT(IndexedProgram const& code, std::size_t t, Buffering buffering,
                                             Letter letter);

/// Definition 17: ML_new(mu) = ML_1(mu) . ML_2(mu); the rest has to be the same, or std::invalid_argument is thrown.
LiteralProblem literal_COMB(LiteralProblem const& smt_1, LiteralProblem const& smt_2);

/// As SMT-LIB, without (check-sat).
std::string print(LiteralProblem const& smt, Letter letter);

} // namespace matchpoint::naive
