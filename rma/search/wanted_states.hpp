// The machine as a system to search (search.hpp) where a state is a violation if a function says so, and nothing else
// is one: what looks for races and faults.
//
//   WantedStates system(machine, {.fused = true, .pending = K}, [&](State const& state) { return ...; });
//   SearchResult const found = search(system, {.stop_at_violation = true});
//   if (found.violation) std::cout << print_schedule(machine, system.way(found.violation->path));
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rma/search/explored.hpp"

namespace matchpoint::rma {

class WantedStates : public System {
public:
    using IsWanted = std::function<bool(State const&)>;

    /// The machine has to outlive it. The function is called with each state once or twice, in the order of the search.
    WantedStates(Machine const& machine, ExploreOptions const& options, IsWanted is_wanted);

    void prepare() override { inner_.prepare(); }
    std::size_t words() const override { return inner_.words(); }
    Packed initial() override { return inner_.initial(); }
    bool expand(Word const* state, bool reduced, Expansion& result) override;
    Packed memory_part(Word const* state) const override { return inner_.memory_part(state); }
    std::vector<Value> memory(Packed const& memory_part) const override { return inner_.memory(memory_part); }
    void widen() override { inner_.widen(); }

    /// The run to the last state of a path.
    std::vector<Transition> way(std::vector<Packed> const& path) { return inner_.way(path, false); }

private:
    MachineSystem inner_;
    IsWanted is_wanted_;
    State state_;
};

/// A shortest run to a state that is wanted. None if no such state is among the first `most_states` states of the
/// search. The number of states seen is added to `states`.
std::optional<std::vector<Transition>> shortest_run_to(Machine const& machine, WantedStates::IsWanted const& is_wanted,
                                                       std::uint64_t max_bytes, std::uint32_t most_states,
                                                       std::uint64_t& states);

} // namespace matchpoint::rma
