#include "machine/schedule.hpp"

#include <algorithm>

namespace matchpoint::machine {

void Schedule::cut(std::size_t locations, std::size_t movements) {
    rho_.resize(locations);
    last_movement_.resize(locations);
    movements_.resize(movements);
    while (!peeks_.empty() && peeks_.back().entry >= locations) peeks_.pop_back();
}

Entry Schedule::entry(std::size_t i) const {
    std::size_t const first = i == 0 ? 0 : last_movement_[i - 1];
    auto const peek = std::lower_bound(peeks_.begin(), peeks_.end(), i,
                                       [](Peek const& p, std::size_t entry) { return p.entry < entry; });
    bool const has_peek = peek != peeks_.end() && peek->entry == i;
    return {rho_[i], std::span(movements_).subspan(first, last_movement_[i] - first),
            has_peek ? peek->channel : Channel{}};
}

Trace Schedule::trace(IndexedProgram const& code) const {
    Trace trace;
    for (std::size_t i = 0; i < size(); ++i) {
        for (Channel const c : entry(i).m) trace.movements.push_back(code.movement_of(c));
        trace.entries.push_back({rho_[i], static_cast<std::uint32_t>(trace.movements.size())});
    }
    for (auto const& [entry, channel] : peeks_) trace.peeks.push_back({entry, code.movement_of(channel)});
    return trace;
}

Outcome run(Machine& machine, Schedule const& schedule, Extent extent) {
    return run_entries(
        machine, schedule.size(), [&](std::size_t i) { return schedule.entry(i); }, extent);
}

} // namespace matchpoint::machine
