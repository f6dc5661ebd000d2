// Runs in words: what a step did, and what a state is.
#pragma once

#include <string>

#include "rma/machine/machine.hpp"

namespace matchpoint::rma {

/// What one transition did: "put     process 2: (put Y 1 X); R(2) gets 2#1".
std::string narrate(Machine const& machine, State const& before, Transition const& t, Effect effect,
                    State const& after);

/// A statement with its location, and without those inside of it.
std::string statement_text(Program const& program, StatementIndex i);
/// The statement that a process executes next, as above; it has not finished.
std::string next_text(Machine const& machine, State const& state, ProcessIndex p);

/// "Y = 1, X = 3": memory, in the order of the declarations.
std::string print_memory(Program const& program, State const& state);
std::string print_valuation(Program const& program, std::vector<Value> const& M);

/// "R(2) = {2#1}, W(2) = {2#2: Y := 3}"; empty if nothing is pending.
std::string print_pending(Graph const& graph, State const& state);

} // namespace matchpoint::rma
