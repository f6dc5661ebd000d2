// Deadlocks and faults, as far as a verdict did not settle them.
#include <algorithm>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "check/engines/engines.hpp"
#include "encode/model.hpp"
#include "matching/reach.hpp"

namespace matchpoint::check {

namespace {

/// Follows a model on the reference machine: with its matches and no others.
void follow(Context& c, Stop stop, SolverModel const& model) {
    auto const matching = matching_of_model(c.messages(), model.text, true);
    if (!matching) return c.known.report(wrong_model(c, matching.error()));
    Explorer::Options options;
    options.buffering = c.options().buffering;
    options.runs = c.runs();
    options.from = c.from();
    options.may_match = [&](Pair p) { return (*matching)[p.r] == p.s; };
    Explorer explorer(c.messages(), options);
    auto const end = explorer.next();
    c.known.work().steps += explorer.steps();
    if (end == (stop == Stop::deadlock ? End::deadlock : End::fault))
        return c.known.add(fact::Stuck{stop, schedule_of(explorer)});
    c.known.report(wrong_model(
        c, fmt::format("the matches of its model do not lead to a {}", stop == Stop::deadlock ? "deadlock" : "fault")));
}

} // namespace

void ask_for_stop(Context& c, Stop stop) {
    Buffering const buffering = c.options().buffering;
    c.activity().begin(Activity::Stage::pruning);
    MatchPairs const pairs =
        tight(c.messages(), buffering, c.possible_pairs(), c.all_finish() ? Extent::complete : Extent::prefix);
    Activity::set(c.activity().pairs, pairs.size());
    bool const is_limited = c.known.has_verdict() && !c.options().time;
    auto answer = ask_solver(c, encode_stop(c.messages(), pairs, buffering, stop, c.runs()),
                             is_limited ? std::optional(beside_time) : std::nullopt);
    std::visit(overloaded{
                   [&](SolverModel const& model) { follow(c, stop, model); },
                   [&](NoModel) { c.known.add(fact::NeverStuck{stop}, c.by_smt()); },
                   [&](Unanswered& none) {
                       if (none.trouble) c.known.report(std::move(*none.trouble));
                   },
               },
               answer);
}

namespace {

/// With zero buffering: whether closer counting tells that no thread gets stuck.
void count_closely(Context& c) {
    bool const is_of_use = c.options().buffering == Buffering::zero && c.known.is_open(Stop::deadlock) &&
                           c.from() == nullptr && c.messages().code().is_plain();
    if (is_of_use && all_finish(c.messages(), reach(c.messages(), Buffering::zero, true)))
        c.known.add(fact::NeverStuck{Stop::deadlock}, {"counting"});
}

} // namespace

void look_for_stops(Context& c) {
    if (!c.options().stops) return;
    count_closely(c);
    if (c.known.is_settled()) return;
    Effort effort{std::min(c.options().steps, beside_steps), beside_time};
    // If only deadlocks are open, states differ in counts alone, and a small program has few states.
    if (c.known.has_verdict() && c.known.is_open(Stop::deadlock) && !c.values_steer()) {
        effort.is_last = false;
        explore(c, effort);
        effort.is_last = true;
    }
    if (c.options().engine == EngineChoice::sat) {
        if (!c.known.is_settled()) explore(c, effort);
        return;
    }
    if (c.known.is_open(Stop::deadlock) && (c.options().buffering == Buffering::zero || c.is_on_path()))
        ask_for_stop(c, Stop::deadlock);
    if (c.known.is_open(Stop::fault)) ask_for_stop(c, Stop::fault);
    // With infinite buffering the solver is not asked for deadlocks. They are open if every sample ended in a fault. If
    // the user chose the solver, exploration must not decide the verdict.
    if (c.known.is_open(Stop::deadlock) && c.options().engine == EngineChoice::smt && c.known.has_verdict())
        explore(c, effort);
}

} // namespace matchpoint::check
