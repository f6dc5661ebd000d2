#include "check/written_out.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace matchpoint::check {

namespace {

constexpr std::size_t most_orders = 100; // places of a delivery, and commands that may come last

struct Step {
    std::vector<Channel> m;
    Location rho;
    Channel peek;
};
using Steps = std::vector<Step>;

Steps steps_of(Schedule const& schedule) {
    Steps steps;
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        Entry const entry = schedule.entry(i);
        steps.push_back({{entry.m.begin(), entry.m.end()}, entry.rho, entry.peek});
    }
    return steps;
}

/// The state at the end. None if some step is not possible.
std::optional<State> end_of(IndexedProgram const& code, Buffering buffering, Steps const& steps,
                            std::span<Channel const> trailing) {
    Machine machine(code, buffering);
    auto const move = [&](std::span<Channel const> m) {
        return std::all_of(m.begin(), m.end(), [&](Channel c) {
            return is_enabled(code, machine.state(), buffering, Deliver{c}) && !machine.apply(Deliver{c}).is_stuck();
        });
    };
    for (Step const& step : steps) {
        Execute const next{step.rho, step.peek};
        if (!move(step.m) || !is_enabled(code, machine.state(), buffering, next) || machine.apply(next).is_stuck())
            return std::nullopt;
    }
    if (!move(trailing)) return std::nullopt;
    return machine.state();
}

/// With the first trailing delivery before one of the last commands, or before a command that can come last instead.
std::optional<Steps> with_one_more(IndexedProgram const& code, Buffering buffering, Steps const& steps,
                                   std::span<Channel const> trailing, State const& end) {
    auto const ends_so = [&](Steps const& tried) {
        auto const state = end_of(code, buffering, tried, trailing.subspan(1));
        return state && *state == end;
    };
    std::size_t const first = steps.size() - std::min(steps.size(), most_orders);
    for (std::size_t i = steps.size(); i-- > first;) {
        Steps tried = steps;
        tried[i].m.push_back(trailing.front());
        if (ends_so(tried)) return tried;
    }
    for (std::size_t i = steps.size(); i-- > first;) {
        Steps tried = steps;
        Step last = std::move(tried[i]);
        tried.erase(tried.begin() + static_cast<std::ptrdiff_t>(i));
        if (i < tried.size())
            tried[i].m.insert(tried[i].m.begin(), last.m.begin(), last.m.end());
        else
            continue;
        last.m = {trailing.front()};
        tried.push_back(std::move(last));
        if (ends_so(tried)) return tried;
    }
    return std::nullopt;
}

} // namespace

Schedule written_out(IndexedProgram const& code, Buffering buffering, Schedule schedule) {
    std::vector<Channel> const deliveries(schedule.trailing().begin(), schedule.trailing().end());
    if (deliveries.empty()) return schedule;
    Steps steps = steps_of(schedule);
    auto const end = end_of(code, buffering, steps, deliveries);
    std::size_t placed = 0;
    for (; end && placed < deliveries.size(); ++placed) {
        auto more = with_one_more(code, buffering, steps, std::span(deliveries).subspan(placed), *end);
        if (!more) break;
        steps = std::move(*more);
    }
    Schedule result;
    for (Step const& step : steps) result.append({step.rho, step.m, step.peek});
    for (; placed < deliveries.size(); ++placed) result.move(deliveries[placed]);
    return result;
}

} // namespace matchpoint::check
