// The function getMarkRemove of Figure 8's WAIT (RCVI) COMMAND, explained in Section 4.2.
#pragma once

#include <optional>
#include <vector>

#include "machine/observer.hpp"

namespace matchpoint::machine {

/// getMarkRemove(h, eta, Pnd_r, Q_s, beta, a_r, s): a_s, the partner of a_r.
///
/// Let i be the place of a_r in Pnd_r(beta), n its ordinal. Each entry j < i of Q_s(beta) that is not marked yet gives
/// its value to its partner's variable and is marked; then entry i, unless marked, gives its value to a_r's variable;
/// then both entries i are removed. Unmarked entries are those from Q_s.completed on (state.hpp), so over a run each
/// message is looked at once, whatever the order of the waits.
///
/// At an endpoint that selects, it is a_r's partner instead of entry i, and of the earlier receives only those complete
/// that admit everything that a_r admits; then their partners are there, too (docs/semantics.md).
///
/// Where `completions` is given, it gets what was completed, in the order of the places.
/// Stuck: a_r is not in Pnd_r(beta), or has no partner. Nothing has changed then.
std::variant<Action, Reason> get_mark_remove(State& state, IndexedProgram const& code, Endpoint beta, Action a_r,
                                             std::vector<event::Completion>* completions);

/// |Pnd_r(beta)| in front of the receive with ordinal n: its place. For messages only: linear.
std::size_t place_in_Pnd_r(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n);

} // namespace matchpoint::machine
