// smt ::= (defs constraints ML): the problem that the SMT machine builds for a run (Section 5.6), and its text.
//
//   defs         the constants of `terms`
//   constraints  program order, assumptions, assignments, sends, receives, channel order; but not the matches
//   ML           receive -> the sends that may match it; a match pair is the conjunction of Definition 10, and a
//                receive the disjunction of its pairs (Definition 11)
//   property     the negation of the conjunction of all assertions (errata E5, E6)
//
// Everything but ML is in program order, not in trace order, so the problems of two traces of one program differ only
// in their matches (Figure 14).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/indexed_program.hpp"
#include "machine/rule.hpp"
#include "smt_machine/term.hpp"

namespace matchpoint::smt_machine {

struct Problem {
    /// A constraint of a location.
    struct Constraint {
        Location rho;
        std::uint32_t nth; // among those of its location
        std::string name;  // for :named, a quoted symbol
        Term term;
    };

    /// Definition 5: the fields of a send that MATCH needs.
    struct Send {
        Location rho;
        Symbol M;  // the order of the matching receive
        Symbol ep; // the endpoint it sends to
        Symbol value;
    };
    /// Definition 7: the fields of a receive that MATCH needs.
    struct Receive {
        Location rho;
        Symbol M; // the order of the matching send
        Symbol ep;
        Symbol value; // the version of its variable that it defines
        Location nw;  // its nearest-enclosing wait
    };

    Terms terms;
    std::vector<Symbol> order;                    // location -> its order
    std::vector<std::optional<Send>> sends;       // action -> its variables, if it is a send
    std::vector<std::optional<Receive>> receives; // action -> its variables, if it is a receive
    std::vector<Constraint> constraints;
    std::vector<Constraint> assertions;
    std::vector<std::vector<Action>> ML; // receive -> sends, each once, in program order
    bool nonlinear = false;              // it has a product of two terms, or a division
    std::optional<bool> satisfiable;     // by Lemma 3, if known
};

/// Options of print().
struct ProblemText {
    bool check_sat = true;   // (check-sat) at the end
    bool unsat_core = false; // (set-option :produce-unsat-cores true)
    bool status = false;     // (set-info :status ...), if known: for readers, since a solver does not contradict it
};

/// SMT-LIB 2.6: the logic (QF_LIA if that is enough, else QF_NIA), declarations, named assertions. Linear in the size
/// of the problem.
std::string print(Problem const& problem, IndexedProgram const& code, ProblemText const& options = {});

/// The same without matches. With infinite buffering it is the same for all well-formed traces of a program
/// under D1 to D6.
std::string print_without_matches(Problem const& problem, IndexedProgram const& code);

} // namespace matchpoint::smt_machine
