#include "rma/machine/replay.hpp"

#include <algorithm>
#include <stdexcept>

namespace matchpoint::rma {

Replayed replay(Machine const& machine, std::span<Transition const> run) {
    Replayed result{machine.initial(), machine.initial()};
    for (Transition const& t : run) {
        auto const enabled = machine.enabled(result.state);
        if (std::find(enabled.begin(), enabled.end(), t) == enabled.end())
            throw std::logic_error("replay: a step of the run is not enabled");
        result.before = result.state;
        result.effect = machine.apply(result.state, t);
    }
    return result;
}

} // namespace matchpoint::rma
