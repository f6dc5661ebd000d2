// Collectives that a library may keep a thread in until all members have called (docs/semantics.md, "Buffering").
#pragma once

#include "machine/state.hpp"

namespace matchpoint::machine {

/// What a thread at rho waits for: the request of a wait, or the action of a collective that blocks. None if another
/// command is there.
Action awaited_at(IndexedProgram const& code, Location rho);

/// Whether a call may return before all members have called: it does not need all of them.
bool depends_on_library(IndexedProgram const& code, Location call);

/// Whether a library may keep a thread at a command that comes next, and that can go on: a call that blocks, or the
/// wait for another one, of which some member has not called. Not at a mismatch.
bool may_refuse(IndexedProgram const& code, State const& state, Location rho);

} // namespace matchpoint::machine
