#include "validate/shared_trace.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "grammar/synchronisation.hpp"
#include "machine/machine.hpp"

namespace matchpoint::validate {

namespace {

bool contains(std::vector<std::uint32_t> const& all, std::uint32_t x) {
    return std::find(all.begin(), all.end(), x) != all.end();
}

bool common(std::vector<std::uint32_t> const& a, std::vector<std::uint32_t> const& b) {
    return std::any_of(a.begin(), a.end(), [&](std::uint32_t x) { return contains(b, x); });
}

} // namespace

SharedTrace::Event SharedTrace::classified(SharedProgram const& program, SharedEvent const& event,
                                           std::vector<bool> const& synchronises) {
    std::vector<bool> is_synchronisation(program.initial.size());
    for (std::uint32_t x = 0; x < program.number_of.size(); ++x)
        if (program.is_shared({x})) is_synchronisation[program.number_of[x]] = synchronises[x];
    Event result;
    auto const synchronise = [&](std::vector<std::uint32_t> const& all) {
        return std::all_of(all.begin(), all.end(), [&](std::uint32_t v) { return is_synchronisation[v]; });
    };
    bool const only_synchronises = synchronise(event.reads) && synchronise(event.writes);
    result.is_primitive = only_synchronises && !(event.reads.empty() && event.writes.empty());
    result.is_free = event.assertion || (only_synchronises && !event.touches_locals);
    return result;
}

std::optional<SharedTrace> SharedTrace::of(SharedProgram const& program, Schedule const& schedule) {
    IndexedProgram const& code = program.code;
    std::vector<bool> const synchronises = synchronisation_variables(code.ctp(), program.number_of.size());
    SharedTrace result;
    result.threads.resize(program.threads.size());
    std::vector<std::uint32_t> steps; // threads
    Machine machine(code, Buffering::infinite);
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        spend(16);
        Location const rho = schedule.entry(i).rho;
        std::uint32_t const t = code.thread_of(rho);
        SharedEvent const& event = program.threads[t][rho.index - code.ctp().threads[t].first];
        Event recorded = classified(program, event, synchronises);
        for (SharedVariable const& s : code.ctp().shared)
            if (contains(event.reads, program.number_of[s.x.index]))
                recorded.reads.emplace_back(program.number_of[s.x.index], machine.state().h[s.x.index]);
        if (machine.apply(Execute{rho}).is_stuck() || machine.state().s >= Status::infeasible) return std::nullopt;
        for (auto const& [x, e] : event.assigned) recorded.assigned.push_back(machine.state().h[x.index]);
        result.threads[t].push_back(std::move(recorded));
        steps.push_back(t);
    }
    result.order(program, steps);
    return result;
}

/// If several commands of a thread have to come first, it is enough to record the last one.
void SharedTrace::order(SharedProgram const& program, std::vector<std::uint32_t> const& steps) {
    std::vector<std::uint32_t> at(threads.size());
    for (std::uint32_t const t : steps) {
        SharedEvent const& event = program.threads[t][at[t]];
        Event& recorded = threads[t][at[t]];
        for (std::uint32_t u = 0; u < threads.size(); ++u) {
            std::uint32_t conflict = 0, writer = 0;
            spend(at[u]);
            for (std::uint32_t i = 0; u != t && i < at[u]; ++i) {
                SharedEvent const& other = program.threads[u][i];
                bool const is_read = common(other.writes, event.reads);
                if (is_read) writer = i + 1;
                if (is_read || common(other.writes, event.writes) || common(other.reads, event.writes))
                    conflict = i + 1;
            }
            if (conflict > 0) recorded.conflicts.push_back({u, conflict});
            if (writer > 0) recorded.writers.push_back({u, writer});
        }
        ++at[t];
    }
}

} // namespace matchpoint::validate
