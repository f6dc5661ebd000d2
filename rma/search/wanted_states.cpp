#include "rma/search/wanted_states.hpp"

namespace matchpoint::rma {

WantedStates::WantedStates(Machine const& machine, ExploreOptions const& options, IsWanted is_wanted)
    : inner_(machine, options), is_wanted_(std::move(is_wanted)), state_(machine.initial()) {}

bool WantedStates::expand(Word const* state, bool reduced, Expansion& result) {
    bool const is_part = inner_.expand(state, reduced, result);
    for (Expansion::Edge& e : result.edges)
        if (e.effect == Effect::failed) e.effect = Effect::moved;
    result.broken.reset();
    inner_.unpack(state, state_);
    if (is_wanted_(state_)) result.broken = 0;
    return is_part;
}

std::optional<std::vector<Transition>> shortest_run_to(Machine const& machine, WantedStates::IsWanted const& is_wanted,
                                                       std::uint64_t max_bytes, std::uint32_t most_states,
                                                       std::uint64_t& states) {
    WantedStates system(machine, {.fused = false, .pending = MachineSystem::most_pending, .values = {}}, is_wanted);
    SearchResult const found = search(
        system, {.stop_at_violation = true, .reduced = false, .max_bytes = max_bytes, .max_states = most_states});
    states += found.states;
    if (!found.violation) return std::nullopt;
    return system.way(found.violation->path);
}

} // namespace matchpoint::rma
