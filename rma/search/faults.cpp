#include "rma/search/faults.hpp"

#include <stdexcept>

#include "rma/machine/evaluate.hpp"
#include "rma/machine/replay.hpp"
#include "rma/search/wanted_states.hpp"

namespace matchpoint::rma {

namespace {

/// The process whose next step divides by zero. (A card never does.)
std::optional<ProcessIndex> faulting_process(Machine const& machine, State const& state) {
    auto const inside = machine.inside_atomic(state);
    for (ProcessIndex p = 0; p < state.pc.size(); ++p) {
        if (!machine.steps(state, p, inside)) continue;
        State next = state;
        if (machine.apply(next, ProcessStep{p}) == Effect::faulted) return p;
    }
    return std::nullopt;
}

std::optional<std::size_t> faulting_property(Machine const& machine, State const& state) {
    auto const& properties = machine.program().properties;
    for (std::size_t i = 0; i < properties.size(); ++i) {
        bool const is_asked = !properties[i].is_final || machine.is_final(state);
        if (is_asked && !evaluate(machine.graph(), state, properties[i].e)) return i;
    }
    return std::nullopt;
}

Fault fault_behind(Machine const& machine, std::vector<Transition> run) {
    Fault fault{std::move(run)};
    State const state = replay(machine, fault.run).state;
    fault.property = faulting_property(machine, state);
    if (fault.property) return fault;
    auto const p = faulting_process(machine, state);
    if (!p) throw std::logic_error("find_fault: the run does not divide by zero");
    fault.statement = machine.graph().at(state.pc[*p]).executes;
    fault.run.emplace_back(ProcessStep{*p});
    if (replay(machine, fault.run).effect != Effect::faulted)
        throw std::logic_error("find_fault: the step does not divide by zero");
    return fault;
}

} // namespace

std::optional<Fault> find_fault(Program const& program, CheckOptions const& options) {
    constexpr std::uint32_t most_states = 2'000'000;
    Graph const graph(program);
    Machine const machine(graph, options.model);
    auto const faults = [&](State const& state) {
        return faulting_property(machine, state) || faulting_process(machine, state);
    };
    std::uint64_t states = 0;
    if (auto run = shortest_run_to(machine, faults, options.max_bytes / 2, most_states, states))
        return fault_behind(machine, std::move(*run));
    for (std::uint32_t K = 1; K <= options.pending; ++K) {
        WantedStates system(machine, {.fused = true, .pending = K, .values = options.values}, faults);
        SearchResult const found = search(system, {.stop_at_violation = true, .max_bytes = options.max_bytes});
        if (found.violation) return fault_behind(machine, system.way(found.violation->path));
        if (found.complete() || found.stop != SearchResult::Stop::none) break;
    }
    return std::nullopt;
}

} // namespace matchpoint::rma
