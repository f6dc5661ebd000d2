#include "executions/search.hpp"

#include <algorithm>

namespace matchpoint::executions {

std::function<bool()> stop_at(Budget& budget) {
    return [&budget] {
        if (budget.steps == 0 || budget.is_cancelled()) return true;
        --budget.steps;
        return false;
    };
}

Searched next_complete_run(Explorer& explorer, Budget& budget) {
    while (!budget.is_cancelled()) {
        std::uint64_t const before = explorer.steps();
        auto const end = explorer.next(budget.steps);
        budget.steps -= std::min(budget.steps, explorer.steps() - before);
        if (end == End::complete) return Searched::found;
        if (explorer.done()) return Searched::none;
        if (budget.steps == 0) return Searched::out_of_steps;
    }
    return Searched::cancelled;
}

Searched search(MessageIndex const& messages, Buffering buffering, std::function<bool(Pair)> may_match, Budget& budget,
                std::function<void(Explorer const&)> const& found, std::uint64_t* executions) {
    Explorer::Options options;
    options.buffering = buffering;
    options.verdicts_only = true;                 // states that differ in nothing that can be asked are one
    options.control_only = !messages.may_fault(); // no value can prevent completion
    options.may_match = std::move(may_match);
    options.stop = stop_at(budget);
    Explorer explorer(messages, std::move(options));
    Searched const result = next_complete_run(explorer, budget);
    if (result == Searched::found) found(explorer);
    if (executions != nullptr) *executions = explorer.counts().executions;
    return result;
}

Schedule until_delivered(MessageIndex const& messages, Buffering buffering, State const& from, Schedule way,
                         Pair wanted) {
    Machine machine(messages.code(), buffering, from);
    Matching m(messages);
    for (std::size_t i = 0; i < way.size(); ++i) {
        static_cast<void>(machine.step(way.entry(i)));
        delivered(messages, machine.state(), m);
        if (m[wanted.r] != wanted.s) continue;
        way.cut(i + 1);
        break;
    }
    return way;
}

} // namespace matchpoint::executions
