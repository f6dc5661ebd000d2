#include "machine/well_formed.hpp"

#include "machine/partners.hpp"

namespace matchpoint::machine {

WellFormedness well_formedness(IndexedProgram const& code, State const& state) {
    WellFormedness result;
    result.ran_to_completion = state.finished() && state.s < Status::error;
    for (std::uint32_t c = 0; c < code.channels().size(); ++c)
        if (code.whole({c}) == Channel{c})
            for (PendingSend const& send : whole_Pnd_s(code, state, {c})) result.in_transit.push_back(send.a);
    for (std::uint32_t beta = 0; beta < code.endpoints().size(); ++beta) {
        // Where receives do not select, ordinals below `completed` are marked or removed, and the others are neither.
        IndexedProgram::EndpointInfo const& queues = code.endpoints()[beta];
        std::uint32_t const first = queues.selects ? 0 : state.Q_s.completed[beta];
        for (std::uint32_t m = first; m < state.Q_s.delivered[beta]; ++m)
            if (DeliveredSend const& d = state.Q_s.entries[queues.Q_s.first + m];
                d.mark == DeliveredSend::Mark::unmarked)
                result.delivered.push_back(d.a);
        for (std::uint32_t n = first; n < state.Pnd_r.issued[beta]; ++n)
            if (!is_completed(state, code, {beta}, n))
                result.without_message.push_back(state.Pnd_r.entries[queues.Pnd_r.first + n].a);
    }
    return result;
}

} // namespace matchpoint::machine
