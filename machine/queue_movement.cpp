#include "machine/queue_movement.hpp"

#include "machine/partners.hpp"

namespace matchpoint::machine {

Step process_queue_movement(State& state, IndexedProgram const& code, Buffering buffering, Channel channel,
                            Observers const& observers) {
    auto const& [beta, alpha, sends] = code[channel];
    std::uint32_t& taken = state.Pnd_s.taken[channel.index];
    std::uint32_t& delivered = state.Q_s.delivered[beta.index];

    if (!in_transit(state, channel))
        return Step::stuck(Rule::process_queue_movement, reason::NothingInTransit{beta, alpha});
    PendingSend const& head = state.Pnd_s.entries[sends.first + taken];
    if (is_rendezvous(state, code, buffering, channel) && !has_posted_partner(state, beta))
        return Step::stuck(Rule::process_queue_movement, reason::NoPostedPartner{beta, alpha, head.a});

    state.Q_s.entries[code[beta].Q_s.first + delivered] = {head.a, DeliveredSend::Mark::unmarked, head.v};
    ++taken;
    ++delivered;
    if (code[beta].selects) {
        state.partners.arrival[head.a.index] = delivered - 1;
        find_receive(state, code, beta);
    }
    observers.fire(state, [&] { return event::QueueMovement{channel, head.a, head.v}; });
    return Step::reduced();
}

void take_movement_back(State& state, IndexedProgram const& code, Channel channel) {
    Endpoint const beta = code[channel].beta;
    if (code[beta].selects) {
        forget_last_message(state, code, beta);
        DeliveredSend const& last = state.Q_s.entries[code[beta].Q_s.first + state.Q_s.delivered[beta.index] - 1];
        state.partners.arrival[last.a.index] = Partners::none;
    }
    --state.Pnd_s.taken[channel.index];
    std::uint32_t const n = --state.Q_s.delivered[beta.index];
    state.Q_s.entries[code[beta].Q_s.first + n] = {};
}

} // namespace matchpoint::machine
