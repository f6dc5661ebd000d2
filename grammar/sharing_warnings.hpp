// Steps that are atomic here and not in a real program.
#pragma once

#include "grammar/ast.hpp"
#include "grammar/diagnostics.hpp"

namespace matchpoint::grammar {

/// A warning, rule "atomic", for each assignment that reads and writes the same shared variable, as in `(x := (+ x 1))`: it is one
/// step of the machine. Variables that some `when` waits for or writes are left out: they stand for locks and the like. Linear.
Diagnostics warn_of_atomic_updates(Program const& program, Source const& source);

} // namespace matchpoint::grammar
