// What a collective call needs, whatever has been called so far.
#pragma once

#include "machine/state.hpp"

namespace matchpoint::machine {

/// Whether the call at rho needs another one of its members: `other` is an element of members(rho).
bool needs(IndexedProgram const& code, Location rho, Collectives::Member const& other, Buffering buffering);

/// Whether the call at rho needs all other members. Linear in their number.
bool needs_all(IndexedProgram const& code, Location rho);

} // namespace matchpoint::machine
