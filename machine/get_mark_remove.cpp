#include "machine/get_mark_remove.hpp"

namespace matchpoint::machine {

namespace {

using Mark = DeliveredSend::Mark;

bool is_removed(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n) {
    return n < state.Q_s.delivered[beta.index] && state.Q_s.entries[code[beta].Q_s.first + n].mark == Mark::removed;
}

std::size_t size_of_Q_s(State const& state, IndexedProgram const& code, Endpoint beta) {
    std::size_t size = 0;
    for (std::uint32_t n = 0; n < state.Q_s.delivered[beta.index]; ++n)
        if (!is_removed(state, code, beta, n)) ++size;
    return size;
}

} // namespace

std::size_t place_in_Pnd_r(State const& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n) {
    std::size_t place = 0;
    for (std::uint32_t j = 0; j < n; ++j)
        if (!is_removed(state, code, beta, j)) ++place;
    return place;
}

std::variant<Action, Reason> get_mark_remove(State& state, IndexedProgram const& code, Endpoint beta, Action a_r,
                                             std::vector<event::Completion>* completions) {
    std::uint32_t const n = state.ordinal[a_r.index];
    bool const issued = state.is_issued(a_r);
    if (!issued || is_removed(state, code, beta, n)) return Reason(reason::ReceiveNotPending{a_r, issued});
    if (!has_message(state, code, a_r))
        return Reason(
            reason::MessageNotThere{a_r, beta, place_in_Pnd_r(state, code, beta, n), size_of_Q_s(state, code, beta)});

    PendingReceive const* const receives = state.Pnd_r.entries.data() + code[beta].Pnd_r.first;
    DeliveredSend* const delivered = state.Q_s.entries.data() + code[beta].Q_s.first;

    std::uint32_t& completed = state.Q_s.completed[beta.index];
    for (; completed <= n; ++completed) {
        auto const& [receive, x] = receives[completed];
        DeliveredSend& send = delivered[completed];
        if (completions != nullptr) completions->push_back({receive, send.a, x, state.h[x.index], send.v});
        state.h[x.index] = send.v;
        send.mark = Mark::marked;
    }
    delivered[n].mark = Mark::removed;
    std::uint32_t& front = state.Q_s.front[beta.index];
    while (front < completed && delivered[front].mark == Mark::removed) ++front;
    return delivered[n].a;
}

} // namespace matchpoint::machine
