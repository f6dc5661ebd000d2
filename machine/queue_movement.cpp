#include "machine/queue_movement.hpp"

namespace matchpoint::machine {

Step process_queue_movement(State& state, IndexedProgram const& code, Buffering buffering, Channel channel,
                            Observers const& observers) {
    auto const& [beta, alpha, sends] = code[channel];
    std::uint32_t& taken = state.Pnd_s.taken[channel.index];
    std::uint32_t& delivered = state.Q_s.delivered[beta.index];

    if (!in_transit(state, channel))
        return Step::stuck(Rule::process_queue_movement, reason::NothingInTransit{beta, alpha});
    if (buffering == Buffering::zero && !has_posted_partner(state, beta))
        return Step::stuck(Rule::process_queue_movement, reason::NoPostedPartner{beta, alpha});

    PendingSend const& head = state.Pnd_s.entries[sends.first + taken];
    state.Q_s.entries[code[beta].Q_s.first + delivered] = {head.a, DeliveredSend::Mark::unmarked, head.v};
    ++taken;
    ++delivered;
    observers.fire(state, [&] { return event::QueueMovement{channel, head.a, head.v}; });
    return Step::reduced();
}

void take_movement_back(State& state, IndexedProgram const& code, Channel channel) {
    Endpoint const beta = code[channel].beta;
    --state.Pnd_s.taken[channel.index];
    std::uint32_t const n = --state.Q_s.delivered[beta.index];
    state.Q_s.entries[code[beta].Q_s.first + n] = {};
}

} // namespace matchpoint::machine
