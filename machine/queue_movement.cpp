#include "machine/queue_movement.hpp"

#include "machine/partners.hpp"

namespace matchpoint::machine {

namespace {

/// The oldest message of a lane leaves it.
PendingSend const& take(State& state, IndexedProgram const& code, Channel lane) {
    auto const& queues = code[code[lane].beta];
    PendingSend const& head = state.Pnd_s.entries[code[lane].Pnd_s.first + state.Pnd_s.taken[lane.index]++];
    std::uint32_t const m = state.Q_s.delivered[code[lane].beta.index]++;
    state.Q_s.entries[queues.Q_s.first + m] = {head.a, DeliveredSend::Mark::unmarked, head.v};
    if (code.selects()) note_moved(state, code, lane);
    return head;
}

void move(State& state, IndexedProgram const& code, Channel lane, Observers const& observers) {
    PendingSend const& head = take(state, code, lane);
    observers.fire(state, [&] { return event::QueueMovement{lane, head.a, head.v}; });
}

/// Receive n and the message that moves next are partners.
void note_partners(State& state, IndexedProgram const& code, Endpoint beta, std::uint32_t n) {
    std::uint32_t const m = state.Q_s.delivered[beta.index];
    state.partners.of_receive[code[beta].Pnd_r.first + n] = m;
    state.partners.of_message[code[beta].Q_s.first + m] = n;
}

/// At an endpoint that selects.
Step match(State& state, IndexedProgram const& code, Channel channel, Observers const& observers) {
    auto next = next_match(state, code, channel);
    if (auto* const reason = std::get_if<Reason>(&next))
        return Step::stuck(Rule::process_queue_movement, std::move(*reason));
    auto const [lane, n] = std::get<NextMatch>(next);
    note_partners(state, code, code[lane].beta, n);
    move(state, code, lane, observers);
    return Step::reduced();
}

} // namespace

void move_to_partner(State& state, IndexedProgram const& code, Channel lane, std::uint32_t n) {
    note_partners(state, code, code[lane].beta, n);
    take(state, code, lane);
}

Step process_queue_movement(State& state, IndexedProgram const& code, Buffering buffering, Channel channel,
                            Observers const& observers) {
    Endpoint const beta = code[channel].beta;
    Endpoint const alpha = code[channel].alpha;
    if (code[beta].selects) return match(state, code, channel, observers);
    if (code[channel].kind == IndexedProgram::ChannelInfo::Kind::front) {
        auto const lane = front_with_tag(state, code, channel);
        if (!lane)
            return Step::stuck(Rule::process_queue_movement, reason::NothingInTransit{beta, alpha, code[channel].n});
        channel = *lane;
    }
    if (!in_transit(state, channel))
        return Step::stuck(Rule::process_queue_movement, reason::NothingInTransit{beta, alpha, {}});
    if (is_rendezvous(state, code, buffering, channel) && !has_posted_partner(state, beta)) {
        std::uint32_t const head = code[channel].Pnd_s.first + state.Pnd_s.taken[channel.index];
        return Step::stuck(Rule::process_queue_movement,
                           reason::NoPostedPartner{beta, alpha, {}, state.Pnd_s.entries[head].a, {}, {}});
    }
    move(state, code, channel, observers);
    return Step::reduced();
}

void take_movement_back(State& state, IndexedProgram const& code, Endpoint beta) {
    std::uint32_t const m = --state.Q_s.delivered[beta.index];
    DeliveredSend& message = state.Q_s.entries[code[beta].Q_s.first + m];
    --state.Pnd_s.taken[code.channel_of(message.a).index];
    if (code.selects()) forget_moved(state, code, message.a);
    message = {};
    if (!code[beta].selects) return;
    std::uint32_t& n = state.partners.of_message[code[beta].Q_s.first + m];
    state.partners.of_receive[code[beta].Pnd_r.first + n] = Partners::none;
    n = Partners::none;
}

} // namespace matchpoint::machine
