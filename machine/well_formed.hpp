// Definition 2, with the reading of errata E15 and E24.
#pragma once

#include <vector>

#include "machine/state.hpp"

namespace matchpoint::machine {

/// Whether a final state is well-formed: the trace is used up, every thread is finished, s < error, and every send and
/// receive is matched. If not, it lists what prevents it.
struct WellFormedness {
    bool ran_to_completion = false;      // every thread is finished and s < error
    std::vector<Action> in_transit;      // sends left in Pnd_s (orphans)
    std::vector<Action> delivered;       // sends left in Q_s unmarked (orphans)
    std::vector<Action> without_message; // receives left in Pnd_r whose partner is not there or not marked

    explicit operator bool() const {
        return ran_to_completion && in_transit.empty() && delivered.empty() && without_message.empty();
    }
};

/// For a state at the end of a trace. A receive that was completed by a later wait and never waited for itself stays in
/// Pnd_r with its marked partner in Q_s; it counts as matched (errata E15). Linear in the size of the program.
WellFormedness well_formedness(IndexedProgram const& code, State const& state);

} // namespace matchpoint::machine
