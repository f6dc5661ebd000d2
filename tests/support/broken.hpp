#pragma once

/// Programs and traces broken on purpose, one fault at a time. This stays with the tests: what `programs/` generates
/// obeys D1 to D6 and can run.

#include "programs/dice.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/plain.hpp"

namespace matchpoint::naive {

/// Half of the programs get a fault: an expression that cannot be evaluated; a wait that is missing, doubled, early or
/// in another thread; shared endpoints or variables; another sort. They obey the static rules, and may break the
/// discipline D.
void break_program(Program& program, Dice& dice);

/// Some of the programs get names that look like something else, locations in another style, large endpoints, or second
/// locations in sndi and rcvi (errata E3).
void rename_oddly(Program& program, Dice& dice);

/// Appends an entry for a thread that is blocked at the end of the trace.
void force(Case& c, Dice& dice);

/// A third of the traces get a fault: entries or movements that are missing, repeated, interchanged or unknown.
void break_trace(Case& c, Dice& dice);

/// Movements of the trace get or lose a tag where that changes nothing: the same message moves.
void vary_tags(Case& c, Dice& dice);

/// A movement gets some tag, or loses its own.
void break_tag(Case& c, Dice& dice);

} // namespace matchpoint::naive
