#include "machine/get_mark_remove.hpp"

#include "grammar/selectors.hpp"
#include "machine/partners.hpp"

namespace matchpoint::machine {

namespace {

using Mark = DeliveredSend::Mark;

std::size_t size_of_Q_s(State const& state, IndexedProgram const& code, Endpoint beta) {
    std::size_t size = 0;
    for (std::uint32_t m = 0; m < state.Q_s.delivered[beta.index]; ++m)
        if (state.Q_s.entries[code[beta].Q_s.first + m].mark != Mark::removed) ++size;
    return size;
}

/// Messages that are matched or in transit, for the message of an error, where receives select.
std::vector<reason::MessageNotThere::Delivered> messages_at(State const& state, IndexedProgram const& code,
                                                            Endpoint beta) {
    std::vector<reason::MessageNotThere::Delivered> result;
    if (!code[beta].selects) return result;
    for (std::uint32_t m = state.Q_s.front[beta.index]; m < state.Q_s.delivered[beta.index]; ++m) {
        DeliveredSend const& message = state.Q_s.entries[code[beta].Q_s.first + m];
        if (message.mark == Mark::removed) continue;
        std::uint32_t const n = *receive_for(state, code, beta, m);
        result.push_back({message.a, state.Pnd_r.entries[code[beta].Pnd_r.first + n].a});
    }
    for (std::uint32_t c = 0; c < code.channels().size(); ++c)
        if (code[Channel{c}].beta == beta)
            for (PendingSend const& send : Pnd_s(code, state, {c})) result.push_back({send.a, {}});
    return result;
}

/// Gives the value of message m, and what its receive n selects, to the receive's variables.
void complete(State& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n, std::uint32_t m,
              std::vector<event::Completion>* completions) {
    auto const& [receive, x] = state.Pnd_r.entries[code[beta].Pnd_r.first + n];
    DeliveredSend& send = state.Q_s.entries[code[beta].Q_s.first + m];
    event::Completion* completion = nullptr;
    if (completions != nullptr)
        completion = &completions->emplace_back(event::Completion{receive, send.a, x, state.h[x.index], send.v, {}});
    state.h[x.index] = send.v;
    send.mark = Mark::marked;
    if (code.ctp().selectors.empty() || code.as_probe(receive) != nullptr) return; // an mprobe has assigned them
    Selectors const* const sel = selectors_of(code.ctp(), *code.as_rcvi(receive));
    if (sel == nullptr) return;
    auto const assign = [&](std::optional<Variable> y, Value const& v) {
        if (!y) return;
        if (completion != nullptr) completion->selected.push_back({*y, state.h[y->index], v});
        state.h[y->index] = v;
    };
    assign(sel->source, code.source_of(send.a));
    assign(sel->tagged, code.tag_number(send.a));
}

/// The receives at beta, as far as they are there, that a wait for receive n completes; and the marks that it sets.
void complete_all(State& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n,
                  std::vector<event::Completion>* completions) {
    if (!code[beta].selects) {
        std::uint32_t& completed = state.Q_s.completed[beta.index];
        for (; completed <= n; ++completed) complete(state, code, beta, completed, completed, completions);
        return;
    }
    PendingReceive const* const receives = state.Pnd_r.entries.data() + code[beta].Pnd_r.first;
    if (code.is_mprobe(receives[n].a))
        return complete(state, code, beta, n, *message_for(state, code, beta, n), completions);
    auto const selectors = [&](std::uint32_t i) { return selectors_of(code.ctp(), *code.as_rcvi(receives[i].a)); };
    for (std::uint32_t i = state.Pnd_r.front[beta.index]; i <= n; ++i)
        if (!is_completed(state, code, beta, i) && !code.is_mprobe(receives[i].a) &&
            admits_all_of(selectors(i), selectors(n)))
            complete(state, code, beta, i, *message_for(state, code, beta, i), completions);
}

/// The first entries of both queues that are not removed.
void advance_fronts(State& state, IndexedProgram const& code, Endpoint beta) {
    DeliveredSend const* const delivered = state.Q_s.entries.data() + code[beta].Q_s.first;
    std::uint32_t const end = code[beta].selects ? state.Q_s.delivered[beta.index] : state.Q_s.completed[beta.index];
    std::uint32_t& front = state.Q_s.front[beta.index];
    while (front < end && delivered[front].mark == Mark::removed) ++front;
    if (!code[beta].selects) return;
    std::uint32_t& first = state.Pnd_r.front[beta.index];
    while (first < state.Pnd_r.issued[beta.index] && is_removed(state, code, beta, first)) ++first;
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
    bool const issued = state.is_issued(a_r) && !is_held(state, code, a_r);
    if (!issued || is_removed(state, code, beta, n)) return Reason(reason::ReceiveNotPending{a_r, issued});
    if (!has_message(state, code, a_r))
        return Reason(reason::MessageNotThere{a_r, beta, place_in_Pnd_r(state, code, beta, n),
                                              size_of_Q_s(state, code, beta), messages_at(state, code, beta)});

    complete_all(state, code, beta, n, completions);
    DeliveredSend& partner = state.Q_s.entries[code[beta].Q_s.first + *message_for(state, code, beta, n)];
    partner.mark = Mark::removed;
    advance_fronts(state, code, beta);
    return partner.a;
}

} // namespace matchpoint::machine
