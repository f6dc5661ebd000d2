#include "machine/well_formed.hpp"

namespace matchpoint::machine {

WellFormedness well_formedness(IndexedProgram const& code, State const& state) {
    WellFormedness result;
    result.ran_to_completion = state.finished() && state.s < Status::error;
    for (std::uint32_t c = 0; c < code.channels().size(); ++c)
        for (PendingSend const& send : Pnd_s(code, state, Channel{c})) result.in_transit.push_back(send.a);
    for (std::uint32_t beta = 0; beta < code.endpoints().size(); ++beta) {
        // Ordinals below `completed` are marked or removed; the others are neither.
        IndexedProgram::EndpointInfo const& queues = code.endpoints()[beta];
        for (std::uint32_t n = state.Q_s.completed[beta]; n < state.Q_s.delivered[beta]; ++n)
            result.delivered.push_back(state.Q_s.entries[queues.Q_s.first + n].a);
        for (std::uint32_t n = state.Q_s.completed[beta]; n < state.Pnd_r.issued[beta]; ++n)
            result.without_message.push_back(state.Pnd_r.entries[queues.Pnd_r.first + n].a);
    }
    return result;
}

} // namespace matchpoint::machine
