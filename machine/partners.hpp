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
// Probes (docs/semantics.md, "Probes"). A probe that is the next command of its thread sees a message in transit if a
// receive with its selectors, posted now, could match it. That is at most one message of each source: the first one
// that it admits.

/// The lane whose oldest message a probe can see in a channel's pair; none if it can see none there.
std::optional<Channel> visible_lane(State const& state, IndexedProgram const& code, Action probe, Channel channel);
/// The lane that the peek of a trace, or of a transition, means; none if the probe cannot see what it says.
std::optional<Channel> peeked_lane(State const& state, IndexedProgram const& code, Action probe, Channel peek);
inline bool can_see(State const& state, IndexedProgram const& code, Action probe, Channel peek) {
    return !peek.is_none() && peeked_lane(state, code, probe, peek).has_value();
}
/// Why not: there is nothing to see, or not this.
Reason why_not_seen(State const& state, IndexedProgram const& code, Action probe, Channel peek);

/// Calls f with each lane whose oldest message the probe at rho can see, one for each source at most. Nothing if there
/// is no probe at rho.
template <typename F>
void for_each_peek(State const& state, IndexedProgram const& code, Location rho, F f) {
    Probe const* const probe = as_probe(code.command_at(rho));
    if (probe == nullptr) return;
    for (std::uint32_t c = 0; c < code.channels().size(); ++c) {
        if (code[Channel{c}].beta != probe->beta) continue;
        auto const lanes = code.lanes({c});
        if (lanes.empty() || lanes.front() != Channel{c}) continue; // once for each pair
        if (auto const lane = visible_lane(state, code, probe->a, {c})) f(*lane);
    }
}
/// Whether the probe at rho can see some message.
bool can_see_some(State const& state, IndexedProgram const& code, Location rho);

} // namespace matchpoint::machine
