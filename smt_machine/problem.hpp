// smt ::= (defs constraints ML), what the SMT machine makes of a run (Section 5.6), and its text.
//
//   defs         the constants of `terms`
//   constraints  program order, assumptions, assignments, sends, receives, channel order; without the matches
//   ML           receive -> the sends that it may be matched with; a match pair of them stands for the conjunction of
//                Definition 10, and a receive for the disjunction of its pairs (Definition 11)
//   property     the negation of the conjunction of all assertions (errata E5, E6)
//
// Everything but ML is in the order of the program, not of the trace, so that the problems of two traces of one program
// differ in their matches only (Figure 14).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/indexed_program.hpp"
#include "machine/rule.hpp"
#include "smt_machine/term.hpp"

namespace matchpoint::smt_machine {

struct Problem {
    /// A constraint, by the location it comes from and the rule that adds it.
    struct Constraint {
        Location rho;
        std::uint32_t nth; // of those of its location
        std::string name;  // for :named, a quoted symbol
        Term term;
    };

    /// Definition 5: what MATCH needs of a send.
    struct Send {
        Location rho;
        Symbol M;  // the order of the matching receive
        Symbol ep; // the endpoint it sends to
        Symbol value;
    };
    /// Definition 7: what MATCH needs of a receive.
    struct Receive {
        Location rho;
        Symbol M; // the order of the matching send
        Symbol ep;
        Symbol value; // the version of its variable that it makes
        Location nw;  // its nearest-enclosing wait
    };

    Terms terms;
    std::vector<Symbol> order;                    // location -> its order
    std::vector<std::optional<Send>> sends;       // action -> its variables, if it is a send
    std::vector<std::optional<Receive>> receives; // action -> its variables, if it is a receive
    std::vector<Constraint> constraints;
    std::vector<Constraint> assertions;
    std::vector<std::vector<Action>> ML; // receive -> sends, each once, in the order of the program
    bool nonlinear = false;              // a product of two terms, or a division
    std::optional<bool> satisfiable;     // where it is known
};

/// What a problem is printed with.
struct ProblemText {
    bool check_sat = true;   // (check-sat) at the end
    bool unsat_core = false; // (set-option :produce-unsat-cores true)
};

/// SMT-LIB 2.6: the logic (the smallest of QF_LIA and QF_NIA), :status where it is known, declarations, named
/// assertions. Linear in the size of the problem.
std::string print(Problem const& problem, IndexedProgram const& code, ProblemText const& options = {});

/// The same without the matches and :status: equal for all well-formed traces of a program under D1 to D6, with
/// infinite buffering.
std::string print_without_matches(Problem const& problem, IndexedProgram const& code);

} // namespace matchpoint::smt_machine
