#include "machine/partners.hpp"

#include <algorithm>

#include "grammar/selectors.hpp"

namespace matchpoint::machine {

namespace {

using Kind = IndexedProgram::ChannelInfo::Kind;

PendingSend const& oldest(State const& state, IndexedProgram const& code, Channel lane) {
    return state.Pnd_s.entries[code[lane].Pnd_s.first + state.Pnd_s.taken[lane.index]];
}

/// The first posted receive for which f holds that has no message; none if there is none.
template <typename F>
std::optional<std::uint32_t> first_unmatched(State const& state, IndexedProgram const& code, Endpoint beta, F f) {
    PendingReceive const* const receives = state.Pnd_r.entries.data() + code[beta].Pnd_r.first;
    for (std::uint32_t n = state.Pnd_r.front[beta.index]; n < state.Pnd_r.issued[beta.index]; ++n)
        if (!message_for(state, code, beta, n) && f(receives[n].a)) return n;
    return std::nullopt;
}

/// The lane of the oldest message in transit in a channel's pair; none if nothing is.
std::optional<Channel> oldest_lane(State const& state, IndexedProgram const& code, Channel channel) {
    std::uint32_t const pair = code.pair_of(channel);
    std::uint32_t const front = state.partners.front[pair];
    if (front == state.partners.issued[pair]) return std::nullopt;
    return Channel{state.partners.lane[code.room_of(pair).first + front]};
}

/// The lane of the first message in transit in a channel's pair that a receive admits; none if it admits none.
std::optional<Channel> first_admitted(State const& state, IndexedProgram const& code, Channel channel, Action a_r) {
    Selectors const* const sel = selectors_of(code.ctp(), *code.as_rcvi(a_r));
    auto const& info = code[channel];
    if (sel == nullptr || !sel->tags) {
        auto const lane = oldest_lane(state, code, channel);
        return lane && code.admits(a_r, oldest(state, code, *lane).a) ? lane : std::nullopt;
    }
    std::optional<Channel> first;
    auto const place = [&](Channel lane) { return state.partners.sent[oldest(state, code, lane).a.index]; };
    for (Tag const n : *sel->tags) {
        auto const lane = code.find_channel(info.beta, info.alpha, n);
        if (!lane || !in_transit(state, *lane) || !code.admits(a_r, oldest(state, code, *lane).a)) continue;
        if (!first || place(*lane) < place(*first)) first = lane;
    }
    return first;
}

/// The first message in transit that a movement of one lane is about; none if there is no such message.
std::optional<Action> first_of(State const& state, IndexedProgram const& code, Channel channel, Channel lane) {
    for (PendingSend const& send : Pnd_s(code, state, lane))
        if (code[channel].kind != Kind::front || code.tag_of(send.a) == code[channel].n) return send.a;
    return std::nullopt;
}

/// What a movement finds.
struct Found {
    std::optional<Action> a_s;      // the first message that it is about; none if it is about several
    std::optional<std::uint32_t> n; // the first posted receive without a message that admits it
    std::optional<Channel> lane;    // of the message that this receive has to get first
};

Found find(State const& state, IndexedProgram const& code, Channel channel) {
    Endpoint const beta = code[channel].beta;
    PendingReceive const* const receives = state.Pnd_r.entries.data() + code[beta].Pnd_r.first;
    Found found;
    if (code[channel].kind == Kind::any) {
        found.n = first_unmatched(state, code, beta, [&](Action a_r) {
            return (found.lane = first_admitted(state, code, channel, a_r)).has_value();
        });
        if (found.n) found.a_s = oldest(state, code, *found.lane).a;
        return found;
    }
    Channel const lane =
        code[channel].kind == Kind::front && !code.lanes(channel).empty() ? code.lanes(channel).front() : channel;
    found.a_s = first_of(state, code, channel, lane);
    if (!found.a_s) return found;
    found.n = first_unmatched(state, code, beta, [&](Action a_r) { return code.admits(a_r, *found.a_s); });
    if (found.n) found.lane = first_admitted(state, code, channel, receives[*found.n].a);
    return found;
}

/// Whether the message is the one that the receive gets first.
bool is_match(State const& state, IndexedProgram const& code, Found const& found) {
    return found.n && oldest(state, code, *found.lane).a == *found.a_s;
}

} // namespace

void note_sent(State& state, IndexedProgram const& code, Action a_s) {
    Channel const lane = code.channel_of(a_s);
    std::uint32_t const pair = code.pair_of(lane);
    std::uint32_t const place = state.partners.issued[pair]++;
    state.partners.sent[a_s.index] = place;
    state.partners.lane[code.room_of(pair).first + place] = lane.index;
}

void forget_sent(State& state, IndexedProgram const& code, Action a_s) {
    std::uint32_t const pair = code.pair_of(code.channel_of(a_s));
    std::uint32_t const place = --state.partners.issued[pair];
    state.partners.sent[a_s.index] = Partners::none;
    state.partners.lane[code.room_of(pair).first + place] = Partners::none;
}

/// A message has left its lane if the oldest one there was sent later.
void note_moved(State& state, IndexedProgram const& code, Channel lane) {
    std::uint32_t const pair = code.pair_of(lane);
    std::uint32_t& front = state.partners.front[pair];
    auto const has_moved = [&](std::uint32_t place) {
        Channel const of{state.partners.lane[code.room_of(pair).first + place]};
        return !in_transit(state, of) || state.partners.sent[oldest(state, code, of).a.index] > place;
    };
    while (front < state.partners.issued[pair] && has_moved(front)) ++front;
}

void forget_moved(State& state, IndexedProgram const& code, Action a_s) {
    std::uint32_t& front = state.partners.front[code.pair_of(code.channel_of(a_s))];
    front = std::min(front, state.partners.sent[a_s.index]);
}

std::optional<Channel> front_with_tag(State const& state, IndexedProgram const& code, Channel channel) {
    auto const lanes = code.lanes(channel);
    if (lanes.empty() || !in_transit(state, lanes.front())) return std::nullopt;
    return code.tag_of(oldest(state, code, lanes.front()).a) == code[channel].n ? std::optional(lanes.front())
                                                                                : std::nullopt;
}

std::variant<NextMatch, Reason> next_match(State const& state, IndexedProgram const& code, Channel channel) {
    Found const found = find(state, code, channel);
    if (is_match(state, code, found)) return NextMatch{*found.lane, *found.n};
    auto const& info = code[channel];
    if (info.kind == Kind::any ? !oldest_lane(state, code, channel) : !found.a_s)
        return Reason(reason::NothingInTransit{info.beta, info.alpha, code.movement_of(channel).n});
    reason::NoPostedPartner why{info.beta, info.alpha, code.movement_of(channel).n, {}, {}, {}};
    if (found.a_s) why.a_s = *found.a_s;
    if (found.n) {
        why.a_r = state.Pnd_r.entries[code[info.beta].Pnd_r.first + *found.n].a;
        why.before = oldest(state, code, *found.lane).a;
    }
    return Reason(why);
}

bool has_receive_for_next(State const& state, IndexedProgram const& code, Sndi const& send) {
    Endpoint const beta = send.beta;
    auto const earlier = whole_Pnd_s(code, state, code.channel_of(send.a));
    if (!code[beta].selects) return state.Q_s.delivered[beta.index] + earlier.size() < state.Pnd_r.issued[beta.index];
    std::vector<Action> receives; // without a partner
    for (std::uint32_t n = state.Pnd_r.front[beta.index]; n < state.Pnd_r.issued[beta.index]; ++n)
        if (!message_for(state, code, beta, n)) receives.push_back(state.Pnd_r.entries[code[beta].Pnd_r.first + n].a);
    auto const first_for = [&](Action a_s) {
        return std::find_if(receives.begin(), receives.end(), [&](Action a_r) { return code.admits(a_r, a_s); });
    };
    for (PendingSend const& message : earlier)
        if (auto const r = first_for(message.a); r != receives.end()) receives.erase(r);
    return first_for(send.a) != receives.end();
}

bool has_match(State const& state, IndexedProgram const& code, Channel channel) {
    return is_match(state, code, find(state, code, channel));
}

std::optional<Channel> visible_lane(State const& state, IndexedProgram const& code, Action probe, Channel channel) {
    auto const lane = first_admitted(state, code, channel, probe);
    if (!lane) return std::nullopt;
    Action const a_s = oldest(state, code, *lane).a;
    auto const earlier =
        first_unmatched(state, code, code[channel].beta, [&](Action a_r) { return code.admits(a_r, a_s); });
    return earlier ? std::nullopt : lane;
}

std::optional<Channel> peeked_lane(State const& state, IndexedProgram const& code, Action probe, Channel peek) {
    auto const& info = code[peek];
    if (info.beta != code.as_probe(probe)->beta) return std::nullopt;
    auto const lane = visible_lane(state, code, probe, peek);
    if (!lane) return std::nullopt;
    if (info.kind == Kind::lane && *lane != peek) return std::nullopt;
    if (info.kind == Kind::front && code.tag_of(oldest(state, code, *lane).a) != info.n) return std::nullopt;
    return lane;
}

bool can_see_some(State const& state, IndexedProgram const& code, Location rho) {
    bool found = false;
    for_each_peek(state, code, rho, [&](Channel) { found = true; });
    return found;
}

Reason why_not_seen(State const& state, IndexedProgram const& code, Action probe, Channel peek) {
    if (can_see_some(state, code, code.issued_at(probe)))
        return reason::WrongPeek{probe, peek.is_none() ? Movement{} : code.movement_of(peek)};
    reason::NothingToProbe why{probe, {}, {}};
    Endpoint const beta = code.as_probe(probe)->beta;
    for (std::uint32_t c = 0; c < code.channels().size() && why.a_s.is_none(); ++c) {
        if (code.channels()[c].beta != beta) continue;
        auto const lane = first_admitted(state, code, {c}, probe);
        if (!lane) continue;
        why.a_s = oldest(state, code, *lane).a;
        auto const n = first_unmatched(state, code, beta, [&](Action a_r) { return code.admits(a_r, why.a_s); });
        why.a_r = state.Pnd_r.entries[code[beta].Pnd_r.first + *n].a;
    }
    return why;
}

} // namespace matchpoint::machine
