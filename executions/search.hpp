// A budgeted, cancellable search for a complete run.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>

#include "executions/explorer.hpp"

namespace matchpoint::executions {

/// A run of a program: its match set, one execution that has it, and its status.
struct Run {
    Matching matching;
    Schedule schedule;
    Status s;
    /// complete: every thread finishes. prefix: the execution is shown as far as it is on the path.
    Extent extent = Extent::complete;
};

/// How many machine steps and deliveries searches may still take together, and whether they are still wanted.
struct Budget {
    std::uint64_t steps = UINT64_MAX;
    std::atomic<bool> const* cancelled = nullptr; // null if always wanted

    bool is_cancelled() const { return cancelled != nullptr && cancelled->load(std::memory_order_relaxed); }
};

enum class Searched : std::uint8_t { found, none, out_of_steps, cancelled };

/// The next complete run of an explorer that was made with stop_at(budget). Throws LimitReached.
Searched next_complete_run(Explorer& explorer, Budget& budget);

/// The next end of a search of interleavings.hpp or classes.hpp; the budget pays for its steps. Returns `found` and
/// sets `end`, or `none` if there is no further one. Throws LimitReached.
template <typename Search>
Searched next_end(Search& search, Budget& budget, End& end) {
    constexpr std::uint64_t slice = 10'000; // steps between two looks at the flag
    while (!search.done()) {
        if (budget.is_cancelled()) return Searched::cancelled;
        if (budget.steps == 0) return Searched::out_of_steps;
        std::uint64_t const before = search.steps();
        auto const found = search.next(std::min(slice, budget.steps));
        budget.steps -= std::min(budget.steps, search.steps() - before);
        if (!found) continue;
        end = *found;
        return Searched::found;
    }
    return Searched::none;
}

/// The beginning of an execution from a state on, up to the first command after which the receive has the message. All
/// of it if that does not happen.
Schedule until_delivered(MessageIndex const& messages, Buffering buffering, State const& from, Schedule way,
                         Pair wanted);

/// For Explorer::Options::stop. Each delivery costs one step of the budget.
std::function<bool()> stop_at(Budget& budget);

/// Searches a complete run in which every receive gets a send that it may (numbers of MessageIndex). `found` is called
/// with the explorer at the end of that run; `executions` counts the executions tried. Throws LimitReached.
Searched search(MessageIndex const& messages, Buffering buffering, std::function<bool(Pair)> may_match, Budget& budget,
                std::function<void(Explorer const&)> const& found, std::uint64_t* executions = nullptr);

} // namespace matchpoint::executions
