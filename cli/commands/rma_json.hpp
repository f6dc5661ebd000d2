// What the commands of `matchpoint rma` know, as JSON (docs/formats.md).
#pragma once

#include <span>

#include "cli/output.hpp"
#include "rma/machine/machine.hpp"

namespace matchpoint::cli {

/// {"X": 3, "r": 0}: the variables in the order of their declarations.
Json to_json(rma::Program const& program, std::vector<Value> const& M);

/// [{"statement": "2#1", "half": "write", "value": 3, "count": 1}]
Json pending_to_json(rma::Graph const& graph, rma::State const& state);

/// {"line": 7, "column": 5, "statement": "(flush 1)"}
Json statement_to_json(rma::Program const& program, Source const& source, rma::StatementIndex i);

/// "memory", "run" (a schedule) and "steps" of a run from the initial state on.
void add_run(Json& json, rma::Machine const& machine, std::span<rma::Transition const> run);

} // namespace matchpoint::cli
