// The counted reduced program (docs/rma.md, "The reduction") as constrained Horn clauses. There is a relation for each
// control state, over the variables of the program and one element of each set that a pending operation draws from.
//
//   Formulas formulas(graph);
//   HornClauses const horn = horn_clauses(formulas);
//   std::cout << print_horn(formulas, horn) << "(check-sat)\n";    // sat: no bad state is reachable
//
// A relation holds for every reachable state and for every choice of elements: a set is the values that its element can
// have.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "proofs/formula.hpp"
#include "solve/solver.hpp"

namespace matchpoint::proofs {

/// Where the processes are, and how many operations of each remote statement are pending.
struct ControlState {
    std::vector<rma::StatementIndex> pc;
    std::vector<std::uint8_t> active; // 0, 1, or 2 for many
    auto operator<=>(ControlState const&) const = default;
};

using ControlIndex = std::uint32_t; // into HornClauses::states
inline constexpr ControlIndex no_control = 0xFFFF'FFFF;

/// body and condition => head
struct HornClause {
    /// What the head has in place of a symbol; or if it may stay, either of the two.
    struct Change {
        Symbol x;
        Formula value;
        bool may_stay = false;
    };

    ControlIndex body = no_control; // that of no state: the beginning
    Formula condition;
    ControlIndex head = no_control; // that of no state: a bad one
    std::vector<Change> changes = {};
    /// The body holds with two elements of this set: with e_s, and with another one, which the head has as e_s.
    rma::RemoteIndex twice = rma::no_index;
};

struct HornClauses {
    std::deque<ControlState> states; // those that control alone can reach; the first one is the beginning
    std::vector<HornClause> clauses; // in the order of the states of their bodies
};

/// The program has no remote atomics.
HornClauses horn_clauses(Formulas& formulas);

/// As SMT-LIB, up to the question.
std::string print_horn(Formulas const& formulas, HornClauses const& horn);

/// Whether all clauses are true if the relations are these formulas, by state and over their parameters. If so, no bad
/// state is reachable. `ask` is asked about some clauses at a time whether one of them is false. The result is its
/// first answer that is not `unsat`; if there is none, `unsat`.
solve::Answer check_relations(Formulas const& formulas, HornClauses const& horn,
                              std::vector<std::string> const& relations,
                              std::function<solve::Answer(std::string const& problem)> const& ask);

/// The name of the relation of a control state. No variable has such a name.
std::string relation_name(ControlIndex i);
/// The parameters of that relation, in their order.
std::vector<Symbol> parameters(Formulas const& formulas, ControlState const& state);

/// `(pc 0 3 end) (active 0 2)`: statements are numbered through the program, in the order of the text.
std::string print_control(rma::Graph const& graph, ControlState const& state);

} // namespace matchpoint::proofs
