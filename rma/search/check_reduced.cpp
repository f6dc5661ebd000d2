#include "rma/search/check_reduced.hpp"

#include <algorithm>
#include <stdexcept>

#include "rma/search/reduced_run.hpp"

namespace matchpoint::rma {

namespace {

/// Only what the program does once more is a violation.
void replay_path(System& system, SearchResult::Violation const& found) {
    Expansion next;
    for (std::size_t i = 0; i < found.path.size(); ++i) {
        system.expand(found.path[i].data(), false, next);
        bool const is_last = i + 1 == found.path.size();
        if (is_last && found.property) {
            if (next.broken != found.property) throw std::logic_error("check: the counterexample does not go wrong");
            return;
        }
        bool const goes_on = std::any_of(next.edges.begin(), next.edges.end(), [&](Expansion::Edge const& e) {
            if (is_last || e.effect == Effect::discarded || e.effect == Effect::faulted)
                return is_last && e.effect == Effect::failed;
            return std::equal(found.path[i + 1].begin(), found.path[i + 1].end(), next.next(e));
        });
        if (!goes_on) throw std::logic_error("check: a step of the counterexample is not enabled");
    }
}

} // namespace

ReducedCheckResult check_reduced(reduced::Program const& program, CheckOptions const& options) {
    ReducedCheckResult result;
    result.variables = variables_of(program);
    TextSystem system(program, result.variables, options.values);
    SearchResult const found = search(
        system, {.stop_at_violation = !options.finals, .finals = options.finals, .max_bytes = options.max_bytes});
    result.states = found.states;
    for (Packed const& part : found.finals) result.finals.push_back(system.memory(part));
    std::vector<std::size_t> places(result.variables.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    sort_valuations(result.finals, places);
    if (found.violation) {
        replay_path(system, *found.violation);
        result.violation.emplace();
        result.violation->property = found.violation->property;
        for (Packed const& state : found.violation->path)
            result.violation->memory.push_back(system.memory(system.memory_part(state.data())));
        result.verdict = Verdict::violated;
    } else if (found.complete()) {
        result.verdict = Verdict::safe;
    } else {
        result.reason = why_cut(found, options);
    }
    auto const known = [&](bool is_there) {
        return is_there ? Known::yes : found.complete() ? Known::no : Known::open;
    };
    result.discarded = known(found.discarded);
    result.faulted = known(found.faulted);
    result.has_final = known(found.has_final);
    result.finals_are_all = options.finals && found.complete();
    return result;
}

} // namespace matchpoint::rma
