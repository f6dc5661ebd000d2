#include "machine/partners.hpp"

#include "grammar/selectors.hpp"

namespace matchpoint::machine {

namespace {

using Mark = DeliveredSend::Mark;

constexpr std::uint32_t none = Partners::none;

Mark mark_of(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t m) {
    return state.Q_s.entries[code[beta].Q_s.first + m].mark;
}

std::optional<std::uint32_t> known(std::uint32_t ordinal) {
    return ordinal == none ? std::nullopt : std::optional(ordinal);
}

} // namespace

std::optional<std::uint32_t> message_for(State const& state, IndexedProgram const& code, Endpoint beta,
                                         std::uint32_t n) {
    if (code[beta].selects) return known(state.partners.of_receive[code[beta].Pnd_r.first + n]);
    return n < state.Q_s.delivered[beta.index] ? std::optional(n) : std::nullopt;
}

std::optional<std::uint32_t> receive_for(State const& state, IndexedProgram const& code, Endpoint beta,
                                         std::uint32_t m) {
    if (code[beta].selects) return known(state.partners.of_message[code[beta].Q_s.first + m]);
    return m < state.Pnd_r.issued[beta.index] ? std::optional(m) : std::nullopt;
}

bool is_admitted(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n, std::uint32_t m) {
    Action const a_r = state.Pnd_r.entries[code[beta].Pnd_r.first + n].a;
    Action const a_s = state.Q_s.entries[code[beta].Q_s.first + m].a;
    return code.admits(a_r, a_s);
}

bool is_completed(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n) {
    if (!code[beta].selects) return n < state.Q_s.completed[beta.index];
    auto const m = message_for(state, code, beta, n);
    return m && mark_of(state, code, beta, *m) != Mark::unmarked;
}

bool is_removed(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n) {
    auto const m = message_for(state, code, beta, n);
    return m && mark_of(state, code, beta, *m) == Mark::removed;
}

void find_message(State& state, IndexedProgram const& code, Endpoint beta) {
    std::uint32_t const n = state.Pnd_r.issued[beta.index] - 1;
    for (std::uint32_t m = state.Q_s.front[beta.index]; m < state.Q_s.delivered[beta.index]; ++m) {
        std::uint32_t& receive = state.partners.of_message[code[beta].Q_s.first + m];
        if (receive != none || !is_admitted(state, code, beta, n, m)) continue;
        receive = n;
        state.partners.of_receive[code[beta].Pnd_r.first + n] = m;
        return;
    }
}

void find_receive(State& state, IndexedProgram const& code, Endpoint beta) {
    std::uint32_t const m = state.Q_s.delivered[beta.index] - 1;
    for (std::uint32_t n = state.Pnd_r.front[beta.index]; n < state.Pnd_r.issued[beta.index]; ++n) {
        std::uint32_t& message = state.partners.of_receive[code[beta].Pnd_r.first + n];
        if (message != none || !is_admitted(state, code, beta, n, m)) continue;
        message = m;
        state.partners.of_message[code[beta].Q_s.first + m] = n;
        return;
    }
}

void forget_last_receive(State& state, IndexedProgram const& code, Endpoint beta) {
    std::uint32_t& m = state.partners.of_receive[code[beta].Pnd_r.first + state.Pnd_r.issued[beta.index] - 1];
    if (m != none) state.partners.of_message[code[beta].Q_s.first + m] = none;
    m = none;
}

void forget_last_message(State& state, IndexedProgram const& code, Endpoint beta) {
    std::uint32_t& n = state.partners.of_message[code[beta].Q_s.first + state.Q_s.delivered[beta.index] - 1];
    if (n != none) state.partners.of_receive[code[beta].Pnd_r.first + n] = none;
    n = none;
}

} // namespace matchpoint::machine
