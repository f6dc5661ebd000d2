// Who gets what at an endpoint (docs/semantics.md, "Selectors, modes, barriers").
//
// Go through Pnd_r(beta) in issue order: each receive's partner is the oldest entry of Q_s(beta) that it admits and
// that is no earlier receive's partner. A partner, once found, never changes: later receives come after all that are
// there, and later messages are younger than all that are there. So partners can be found event by event. A message
// that arrives goes to the oldest receive without a partner that admits it; a receive that is issued gets the oldest
// message without a partner that it admits.
//
// At an endpoint whose receives admit everything, the n-th receive gets the n-th message, and nothing is stored. At one
// that
// *selects* (IndexedProgram), State::partners has the pairs. Below, n is the ordinal of a receive among all ever issued
// at an endpoint, m that of a message among all ever delivered there.
#pragma once

#include <optional>

#include "machine/state.hpp"

namespace matchpoint::machine {

/// The partner of receive n, which has been issued; none if it has none yet.
inline std::optional<std::uint32_t> message_for(State const& state, IndexedProgram const& code, Endpoint beta,
                                                std::uint32_t n) {
    if (!code[beta].selects) return n < state.Q_s.delivered[beta.index] ? std::optional(n) : std::nullopt;
    std::uint32_t const m = state.partners.of_receive[code[beta].Pnd_r.first + n];
    return m == Partners::none ? std::nullopt : std::optional(m);
}

/// The partner of message m, which has been delivered.
inline std::optional<std::uint32_t> receive_for(State const& state, IndexedProgram const& code, Endpoint beta,
                                                std::uint32_t m) {
    if (!code[beta].selects) return m < state.Pnd_r.issued[beta.index] ? std::optional(m) : std::nullopt;
    std::uint32_t const n = state.partners.of_message[code[beta].Q_s.first + m];
    return n == Partners::none ? std::nullopt : std::optional(n);
}

/// Whether receive n, which has been issued, admits message m, which has been delivered.
bool is_admitted(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n, std::uint32_t m);

/// Whether a wait has completed receive n, and whether it has left Pnd_r.
inline bool is_completed(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n) {
    if (!code[beta].selects) return n < state.Q_s.completed[beta.index];
    auto const m = message_for(state, code, beta, n);
    return m && state.Q_s.entries[code[beta].Q_s.first + *m].mark != DeliveredSend::Mark::unmarked;
}
inline bool is_removed(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n) {
    auto const m = message_for(state, code, beta, n);
    return m && state.Q_s.entries[code[beta].Q_s.first + *m].mark == DeliveredSend::Mark::removed;
}

/// Finds the partner of the receive that has just been issued at an endpoint that selects. Time: linear in the messages
/// there.
void find_message(State& state, IndexedProgram const& code, Endpoint beta);
/// Finds the partner of the message that has just been delivered to one. Time: linear in the receives there.
void find_receive(State& state, IndexedProgram const& code, Endpoint beta);
/// The receive that was issued last, or the message that was delivered last, goes away again.
void forget_last_receive(State& state, IndexedProgram const& code, Endpoint beta);
void forget_last_message(State& state, IndexedProgram const& code, Endpoint beta);

} // namespace matchpoint::machine
