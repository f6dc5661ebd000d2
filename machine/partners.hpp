// Who gets what at an endpoint (docs/semantics.md, "Selectors, modes, barriers").
//
// Go through Pnd_r(beta) in issue order: each receive's partner is the oldest entry of Q_s(beta) that it admits and that is no
// earlier receive's partner. A partner, once found, never changes: later receives come behind all that are there, and later
// messages are younger than all that are there. So partners can be found event by event. A message that arrives goes to the
// oldest receive without a partner that admits it; a receive that is issued gets the oldest message without a partner that it
// admits.
//
// At an endpoint whose receives admit everything, the n-th receive gets the n-th message, and nothing is stored. At one that
// *selects* (IndexedProgram), State::partners has the pairs. Below, n is the ordinal of a receive among all ever issued at an
// endpoint, m that of a message among all ever delivered there.
#pragma once

#include <optional>

#include "machine/state.hpp"

namespace matchpoint::machine {

/// The partner of receive n, which has been issued; none: it has none yet.
std::optional<std::uint32_t> message_for(State const& state, IndexedProgram const& code, Endpoint beta,
                                         std::uint32_t n);
/// The partner of message m, which has been delivered.
std::optional<std::uint32_t> receive_for(State const& state, IndexedProgram const& code, Endpoint beta,
                                         std::uint32_t m);

/// Whether receive n, which has been issued, admits message m, which has been delivered.
bool is_admitted(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n, std::uint32_t m);

/// Whether a wait has completed receive n, and whether it has left Pnd_r.
bool is_completed(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n);
bool is_removed(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n);

/// Finds the partner of the receive that has just been issued at an endpoint that selects. Time: linear in the messages there.
void find_message(State& state, IndexedProgram const& code, Endpoint beta);
/// Finds the partner of the message that has just been delivered to one. Time: linear in the receives there.
void find_receive(State& state, IndexedProgram const& code, Endpoint beta);
/// The receive that was issued last, or the message that was delivered last, goes away again.
void forget_last_receive(State& state, IndexedProgram const& code, Endpoint beta);
void forget_last_message(State& state, IndexedProgram const& code, Endpoint beta);

} // namespace matchpoint::machine
