#include "counting/proofs.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "executions/shared/accesses.hpp"
#include "executions/shared/raced_variables.hpp"

namespace matchpoint::counting {

namespace {

constexpr std::size_t most_accesses = 5'000'000; // pairs

Sum plus(Sum const& sum, Variable x, std::uint32_t at, std::int64_t factor) {
    Sum result = sum;
    auto const place = std::find_if(result.parts.begin(), result.parts.end(),
                                    [&](Sum::Part const& part) { return part.at == at && part.x == x; });
    if (place == result.parts.end())
        result.parts.push_back({at, x, factor});
    else if ((place->factor += factor) == 0)
        result.parts.erase(place);
    return result;
}

} // namespace

Proofs::Proofs(MessageIndex const& messages)
    : messages_(messages), ctp_(messages.code().ctp()), sums_(messages), counts_(messages, sums_),
      order_(messages, sums_, counts_) {
    if (!order_.is_known()) return;
    order_.find_more(); // of messages, if nothing counts
    auto const between = [&](std::uint32_t write, std::uint32_t first, std::uint32_t second) {
        return comes_between(write, first, second);
    };
    while (counts_.find_more(between)) order_.find_more();
}

bool Proofs::comes_between(std::uint32_t command, std::uint32_t first, std::uint32_t second) const {
    if (!order_.is_known()) return true;
    auto const thread_of = [&](std::uint32_t c) { return messages_.code().thread_of({c}); };
    return !order_.comes_first(command, first) && !order_.comes_first(second, command) &&
           !counts_.exclude(thread_of(first), first + 1, second, thread_of(command), command);
}

// ---------------------------------------------------------------------------------------------------------------------
// Assertions

/// The bounds of a sum of what a command and earlier ones of its thread read.
std::optional<Range> Proofs::bounds(Sum const& sum, std::uint32_t command) const {
    Range result{sum.constant, sum.constant};
    for (auto part = sum.parts.begin(); part != sum.parts.end();) {
        auto const end =
            std::find_if(part, sum.parts.end(), [&](Sum::Part const& other) { return other.at != part->at; });
        auto const here = order_.bounds({0, {part, end}}, part->at, part->at != command);
        if (!here) return std::nullopt;
        result.least += here->least;
        result.greatest += here->greatest;
        part = end;
    }
    return result;
}

Known Proofs::known(Comparison const& comparison, std::uint32_t command) const {
    auto all = bounds(comparison.sum, command);
    if (!all) return std::nullopt;
    if (auto const known = compare(*all, comparison.relation)) return known;
    // A sum is at most what it is together with a semaphore, and at least what it is without one.
    for (Variable const s : counts_.semaphores()) {
        auto const more = bounds(plus(comparison.sum, s, command, 1), command);
        auto const less = bounds(plus(comparison.sum, s, command, -1), command);
        if (more) all->greatest = std::min(all->greatest, more->greatest);
        if (less) all->least = std::max(all->least, less->least);
        if (auto const known = compare(*all, comparison.relation)) return known;
    }
    return std::nullopt;
}

bool Proofs::holds(std::uint32_t command, Expression e) const {
    return sums_.evaluate(command, e, [&](Comparison const& c) { return known(c, command); }) == Known(true);
}

bool Proofs::assertion_holds(std::uint32_t command) const {
    return order_.is_known() && holds(command, std::get<Assert>(ctp_.commands[command].c).e);
}

bool Proofs::no_assertion_fails() const {
    for (std::uint32_t i = 0; i < ctp_.commands.size(); ++i)
        if (std::holds_alternative<Assert>(ctp_.commands[i].c) && !assertion_holds(i)) return false;
    return true;
}

DeadlockSuspects Proofs::deadlock_suspects() const {
    return counting::deadlock_suspects(messages_, sums_, counts_, order_);
}

bool Proofs::no_deadlock() const { return deadlock_suspects().none(); }

// ---------------------------------------------------------------------------------------------------------------------
// Data races

bool Proofs::no_data_race() const {
    if (!order_.is_known()) return false;
    struct At {
        std::uint32_t command;
        bool writes;
    };
    std::vector<bool> const is_data = executions::raced_variables(messages_);
    std::vector<std::vector<At>> by_variable(is_data.size());
    auto const accesses = executions::shared_accesses(messages_);
    for (std::uint32_t i = 0; i < accesses.size(); ++i)
        for (auto const& [x, writes] : accesses[i])
            if (is_data[x.index]) by_variable[x.index].push_back({i, writes});
    std::size_t pairs = 0;
    auto const thread_of = [&](At const& a) { return messages_.code().thread_of({a.command}); };
    for (auto const& all : by_variable)
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                if (!(all[i].writes || all[j].writes) || thread_of(all[i]) == thread_of(all[j])) continue;
                spend(8);
                if (++pairs > most_accesses || !order_.never_together(all[j].command, all[i].command)) return false;
            }
    return true;
}

} // namespace matchpoint::counting
