// Who gets what at an endpoint (docs/semantics.md, "Selectors, modes, barriers").
//
// At an endpoint whose receives admit everything, the n-th receive gets the n-th message that is delivered, and nothing
// is stored. At one that *selects* (IndexedProgram), a movement is a match of a posted receive r with a message m in
// transit, of MPI's two rules (3.5, "Order"):
//
//   r admits m;
//   no earlier posted receive that is unmatched admits m;
//   no earlier message in transit in m's channel (alpha, beta) is admitted by r.
//
// So at most one message of each tag can leave a channel next, the first one, and one receive can get it: a lane
// (IndexedProgram) is a queue, and the tag says which match it is. State::partners has the pairs. Below, n is the
// ordinal of a receive among all ever issued at an endpoint, m that of a message among all ever delivered there.
#pragma once

#include <optional>
#include <variant>

#include "machine/reason.hpp"
#include "machine/state.hpp"

namespace matchpoint::machine {

/// The partner of receive n, which has been issued; none if it has none yet.
inline std::optional<std::uint32_t> message_for(State const& state, IndexedProgram const& code, Endpoint beta,
                                                std::uint32_t n) {
    if (!code[beta].selects) return n < state.Q_s.delivered[beta.index] ? std::optional(n) : std::nullopt;
    std::uint32_t const m = state.partners.of_receive[code[beta].Pnd_r.first + n];
    return m == Partners::none ? std::nullopt : std::optional(m);
}

/// The partner of message m, which has been delivered. Where beta selects, it has one.
inline std::optional<std::uint32_t> receive_for(State const& state, IndexedProgram const& code, Endpoint beta,
                                                std::uint32_t m) {
    if (!code[beta].selects) return m < state.Pnd_r.issued[beta.index] ? std::optional(m) : std::nullopt;
    return state.partners.of_message[code[beta].Q_s.first + m];
}

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

/// Keeps the order of sends, of a program in which some endpoint selects: when a send has been issued, and just before
/// that is undone.
void note_sent(State& state, IndexedProgram const& code, Action a_s);
void forget_sent(State& state, IndexedProgram const& code, Action a_s);
/// The same when the oldest message of a lane has left it, and when that is undone.
void note_moved(State& state, IndexedProgram const& code, Channel lane);
void forget_moved(State& state, IndexedProgram const& code, Action a_s);

/// What a channel of kind `front` moves: the oldest message of its lane, if that has the tag; none otherwise.
std::optional<Channel> front_with_tag(State const& state, IndexedProgram const& code, Channel channel);

/// The match that a movement to an endpoint that selects makes.
struct NextMatch {
    Channel lane;    // whose oldest message it is
    std::uint32_t n; // the receive
};
/// The match, or why there is none. A channel of kind `any` makes the match of the earliest receive that has one. Time:
/// linear in the receives there and the tags that they name.
std::variant<NextMatch, Reason> next_match(State const& state, IndexedProgram const& code, Channel channel);
/// Whether there is one. Allocates nothing.
bool has_match(State const& state, IndexedProgram const& code, Channel channel);

/// Whether some posted receive could get the message of a send, if it were issued now: the earlier messages of its
/// channel match first, as far as they can, and a receive that could get it is left. What comes through other channels
/// can only take receives away. Time: the messages in transit there, times the posted receives.
bool has_receive_for_next(State const& state, IndexedProgram const& code, Sndi const& send);

} // namespace matchpoint::machine
