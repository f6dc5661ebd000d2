#include "matching/run_values.hpp"

#include <algorithm>

#include "base/overloaded.hpp"

namespace matchpoint::matching {

RunValues::RunValues(DataFlow const& flow)
    : flow_(flow), evaluation_(flow), sent_(flow.messages().sends().size()), completed_(completed_at(flow.messages())) {
}

void RunValues::run(Schedule const& schedule, Matching const& m) {
    evaluation_.forget();
    std::fill(sent_.begin(), sent_.end(), Value());
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        std::uint32_t const at = schedule.entry(i).rho.index;
        for (std::uint32_t const r : completed_[at]) evaluation_.receive(r, sent_[m[r]]);
        step(at);
    }
}

void RunValues::run(Schedule const& schedule, Matching const& m, std::vector<bool> const& known) {
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        std::uint32_t const at = schedule.entry(i).rho.index;
        for (std::uint32_t const r : completed_[at]) evaluation_.receive(r, known[r] ? sent_[m[r]] : Value());
        step(at);
    }
}

void RunValues::step(std::uint32_t command) {
    if (!flow_.is_relevant(command)) return;
    std::visit(overloaded{
                   [&](Assign const&) { evaluation_.assign(command); },
                   [&](Sndi const& c) { sent_[flow_.messages().send_number(c.a)] = evaluation_(c.e.root()); },
                   [](Assume const&) {}, // evaluated when it is asked for
                   [](Assert const&) {},
                   [](Rcvi const&) {},
                   [](Probe const&) {},
                   [](Start const&) {},
                   [](Meet const&) {},
                   [](Collective const&) {},
                   [](Guarded const&) {},
                   [](Wait const&) {},
               },
               flow_.ctp().commands[command].c);
}

std::optional<Status> RunValues::status() {
    for (std::uint32_t const divisor : flow_.divisors())
        if (evaluation_(divisor) == Value::integer(0)) return std::nullopt;
    auto const some_is_false = [&](std::vector<std::uint32_t> const& roots) {
        return std::any_of(roots.begin(), roots.end(), [&](std::uint32_t n) { return evaluation_(n).is_false(); });
    };
    return some_is_false(flow_.assumptions())  ? Status::infeasible
           : some_is_false(flow_.assertions()) ? Status::failure
                                               : Status::success;
}

} // namespace matchpoint::matching
