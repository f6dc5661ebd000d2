#include "machine/state.hpp"

#include <algorithm>

namespace matchpoint::machine {

std::string_view to_string(Buffering buffering) { return buffering == Buffering::infinite ? "infinite" : "zero"; }

std::string_view to_string(Status s) {
    switch (s) {
    case Status::success: return "success";
    case Status::failure: return "failure";
    case Status::infeasible: return "infeasible";
    case Status::error: break;
    }
    return "error";
}

State::State(IndexedProgram const& code)
    : h(code.names().variables.size()), A(code.ctp().issued_by.size()), ordinal(A.size(), not_issued),
      commands_left(static_cast<std::uint32_t>(code.ctp().commands.size())) {
    std::size_t sends = 0;
    for (auto const& c : code.channels()) sends += c.Pnd_s.capacity;
    std::size_t receives = 0;
    for (auto const& e : code.endpoints()) receives += e.Pnd_r.capacity;

    Pnd_s.entries.resize(sends);
    Pnd_s.issued.resize(code.channels().size());
    Pnd_s.taken.resize(code.channels().size());
    Pnd_r.entries.resize(receives);
    Pnd_r.issued.resize(code.endpoints().size());
    Q_s.entries.resize(sends);
    Q_s.delivered.resize(code.endpoints().size());
    Q_s.completed.resize(code.endpoints().size());
    Q_s.front.resize(code.endpoints().size());

    ctp.reserve(code.ctp().threads.size());
    for (Thread const& t : code.ctp().threads) ctp.push_back(t.first);
}

bool in_transit(State const& state, Channel channel) {
    return state.Pnd_s.taken[channel.index] < state.Pnd_s.issued[channel.index];
}

bool has_posted_partner(State const& state, Endpoint beta) {
    // As many entries have been removed from Q_s(beta) as from Pnd_r(beta), so their sizes compare as these numbers do.
    return state.Q_s.delivered[beta.index] < state.Pnd_r.issued[beta.index];
}

bool has_message(State const& state, IndexedProgram const& code, Action a_r) {
    return state.ordinal[a_r.index] < state.Q_s.delivered[code.as_rcvi(a_r)->beta.index];
}

bool is_taken(State const& state, IndexedProgram const& code, Action a_s) {
    return state.ordinal[a_s.index] < state.Pnd_s.taken[code.channel_of(a_s).index];
}

std::span<PendingSend const> Pnd_s(IndexedProgram const& code, State const& state, Channel channel) {
    std::uint32_t const taken = state.Pnd_s.taken[channel.index];
    return std::span(state.Pnd_s.entries)
        .subspan(code[channel].Pnd_s.first + taken, state.Pnd_s.issued[channel.index] - taken);
}

std::vector<PendingReceive> Pnd_r(IndexedProgram const& code, State const& state, Endpoint beta, std::uint32_t looks) {
    std::vector<PendingReceive> result;
    auto const& [receives, delivered] = code[beta];
    std::uint32_t const front = state.Q_s.front[beta.index];
    std::uint32_t const end = front + std::min(state.Pnd_r.issued[beta.index] - front, looks);
    for (std::uint32_t n = front; n < end; ++n) {
        bool const removed = n < state.Q_s.delivered[beta.index] &&
                             state.Q_s.entries[delivered.first + n].mark == DeliveredSend::Mark::removed;
        if (!removed) result.push_back(state.Pnd_r.entries[receives.first + n]);
    }
    return result;
}

std::vector<DeliveredSend> Q_s(IndexedProgram const& code, State const& state, Endpoint beta, std::uint32_t looks) {
    std::vector<DeliveredSend> result;
    std::uint32_t const front = state.Q_s.front[beta.index];
    std::uint32_t const end = front + std::min(state.Q_s.delivered[beta.index] - front, looks);
    for (std::uint32_t n = front; n < end; ++n) {
        DeliveredSend const& d = state.Q_s.entries[code[beta].Q_s.first + n];
        if (d.mark != DeliveredSend::Mark::removed) result.push_back(d);
    }
    return result;
}

std::vector<Match> match_set(IndexedProgram const& code, State const& state) {
    std::vector<Match> result;
    for (LocatedCommand const& located : code.ctp().commands) {
        auto const* const rcvi = as_rcvi(located.c);
        if (rcvi == nullptr || !state.is_issued(rcvi->a)) continue;
        std::uint32_t const n = state.ordinal[rcvi->a.index];
        if (n < state.Q_s.completed[rcvi->beta.index])
            result.push_back({rcvi->a, state.Q_s.entries[code[rcvi->beta].Q_s.first + n].a});
    }
    return result;
}

} // namespace matchpoint::machine
