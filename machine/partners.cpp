#include "machine/partners.hpp"

#include "grammar/selectors.hpp"

namespace matchpoint::machine {

namespace {

constexpr std::uint32_t none = Partners::none;

} // namespace

bool is_admitted(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n, std::uint32_t m) {
    Action const a_r = state.Pnd_r.entries[code[beta].Pnd_r.first + n].a;
    Action const a_s = state.Q_s.entries[code[beta].Q_s.first + m].a;
    return code.admits(a_r, a_s);
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
