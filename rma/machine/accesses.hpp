// Which variables steps read and write.
#pragma once

#include <vector>

#include "rma/machine/machine.hpp"

namespace matchpoint::rma {

std::vector<Variable> variables_in(Program const& program, Expression e);

/// The variable that a statement assigns to when its process executes it; none if it does not assign at once.
Variable assigned_by(StatementKind const& c);

/// What the step of a process at `pc` reads, besides where the process is.
std::vector<Variable> read_by_step(Machine const& machine, StatementIndex pc);
/// What that step writes. Under RMA a remote statement writes nothing yet.
std::vector<Variable> written_by_step(Machine const& machine, StatementIndex pc);
/// What nic_r or nic_a reads: the remote variable first.
std::vector<Variable> read_by_card(Graph const& graph, RemoteIndex s);

} // namespace matchpoint::rma
