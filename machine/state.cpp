#include "machine/state.hpp"

#include <algorithm>

#include "machine/partners.hpp"

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
    if (code.selects()) {
        Pnd_r.front.resize(code.endpoints().size());
        partners.of_receive.resize(receives, Partners::none);
        partners.of_message.resize(sends, Partners::none);
        partners.sent.resize(A.size(), Partners::none);
        partners.lane.resize(sends, Partners::none);
        partners.issued.resize(code.pair_count());
        partners.front.resize(code.pair_count());
    }
    if (code.has_probes()) saw.resize(A.size());
    Q_s.entries.resize(sends);
    Q_s.delivered.resize(code.endpoints().size());
    Q_s.completed.resize(code.endpoints().size());
    Q_s.front.resize(code.endpoints().size());

    for (SharedVariable const& s : code.ctp().shared) h[s.x.index] = s.v;
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

bool is_rendezvous(State const& state, IndexedProgram const& code, Buffering buffering, Channel channel) {
    if (buffering == Buffering::zero || !code.synchronizes()) return buffering == Buffering::zero;
    PendingSend const& head = state.Pnd_s.entries[code[channel].Pnd_s.first + state.Pnd_s.taken[channel.index]];
    return code.as_sndi(head.a)->mode == Mode::synchronous;
}

bool has_message(State const& state, IndexedProgram const& code, Action a_r) {
    return state.is_issued(a_r) && !is_held(state, code, a_r) &&
           message_for(state, code, code.as_rcvi(a_r)->beta, state.ordinal[a_r.index]).has_value();
}

bool is_held(State const& state, IndexedProgram const& code, Action a_r) {
    if (!code.is_mprobe(a_r) || !state.is_issued(a_r)) return false;
    Endpoint const beta = code.as_probe(a_r)->beta;
    return state.Pnd_r.entries[code[beta].Pnd_r.first + state.ordinal[a_r.index]].x.is_none();
}

bool waits_for_receive(IndexedProgram const& code, Buffering buffering, Action a_s) {
    if (buffering == Buffering::infinite && !code.synchronizes()) return false;
    Mode const mode = code.as_sndi(a_s)->mode;
    return mode == Mode::synchronous || (buffering == Buffering::zero && mode != Mode::buffered);
}

bool is_taken(State const& state, IndexedProgram const& code, Action a_s) {
    bool const has_moved = state.ordinal[a_s.index] < state.Pnd_s.taken[code.channel_of(a_s).index];
    if (!has_moved) return false;
    return !code.has_probes() || state.saw[a_s.index].is_none() || !is_held(state, code, state.saw[a_s.index]);
}

std::optional<std::uint32_t> missing_at(State const& state, IndexedProgram const& code, Location rho) {
    for (Location const other : code.meeting_at(rho))
        if (std::uint32_t const t = code.thread_of(other); state.ctp[t] < other.index) return t;
    return std::nullopt;
}

std::span<PendingSend const> Pnd_s(IndexedProgram const& code, State const& state, Channel channel) {
    std::uint32_t const taken = state.Pnd_s.taken[channel.index];
    return std::span(state.Pnd_s.entries)
        .subspan(code[channel].Pnd_s.first + taken, state.Pnd_s.issued[channel.index] - taken);
}

std::vector<PendingSend> whole_Pnd_s(IndexedProgram const& code, State const& state, Channel channel) {
    std::vector<PendingSend> result;
    auto const lanes = code.lanes(channel);
    for (Channel const lane : lanes) {
        auto const part = Pnd_s(code, state, lane);
        result.insert(result.end(), part.begin(), part.end());
    }
    if (lanes.size() > 1)
        std::sort(result.begin(), result.end(), [&](PendingSend const& p, PendingSend const& q) {
            return state.partners.sent[p.a.index] < state.partners.sent[q.a.index];
        });
    return result;
}

std::vector<PendingReceive> Pnd_r(IndexedProgram const& code, State const& state, Endpoint beta, std::uint32_t looks) {
    std::vector<PendingReceive> result;
    std::uint32_t const front = code[beta].selects ? state.Pnd_r.front[beta.index] : state.Q_s.front[beta.index];
    std::uint32_t const end = front + std::min(state.Pnd_r.issued[beta.index] - front, looks);
    for (std::uint32_t n = front; n < end; ++n)
        if (!is_removed(state, code, beta, n)) result.push_back(state.Pnd_r.entries[code[beta].Pnd_r.first + n]);
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
        auto const* const probe = as_probe(located.c);
        bool const is_mprobe = probe != nullptr && probe->matches;
        auto const* const rcvi = is_mprobe ? code.as_rcvi(probe->a) : as_rcvi(located.c);
        if (rcvi == nullptr || !state.is_issued(rcvi->a)) continue;
        std::uint32_t const n = state.ordinal[rcvi->a.index];
        if (!is_completed(state, code, rcvi->beta, n)) continue;
        std::uint32_t const m = *message_for(state, code, rcvi->beta, n);
        result.push_back({rcvi->a, state.Q_s.entries[code[rcvi->beta].Q_s.first + m].a});
    }
    return result;
}

} // namespace matchpoint::machine
