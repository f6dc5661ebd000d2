// The verdict from two questions that a solver can answer: does a run fail, and does one succeed?
#include <algorithm>

#include "base/overloaded.hpp"
#include "check/engines/engines.hpp"

namespace matchpoint::check {

namespace {

using Ask = std::function<RunAnswer(Asked)>;

void report_trouble(Context& c, Unanswered& none) {
    if (none.trouble) c.known.report(std::move(*none.trouble));
}

/// For engines that find a run that succeeds later. A solver that gave a wrong answer is not trusted with this one.
void keep_that_none_fails(Context& c, Engine const& engine) {
    auto const is_wrong = [](Trouble const& trouble) { return trouble.kind == Trouble::Kind::wrong_answer; };
    auto const& known = c.known.trouble();
    if (engine.is_solver && std::any_of(known.begin(), known.end(), is_wrong)) return;
    if (!c.known.fails_never_by()) c.known.add(fact::NeverFails{}, engine);
}

/// The engine says that no run fails. Whether one succeeds may be known.
void conclude_that_none_fails(Context& c, Engine const& engine, Ask const& ask) {
    if (c.known.failure()) return c.known.contradict(engine, "fails");
    if (c.known.success()) return c.known.conclude(Verdict::safe, engine);
    if (c.known.completes_never()) return c.known.conclude(Verdict::vacuous, engine);
    RunAnswer succeeding = ask(Asked::success);
    std::visit(overloaded{
                   [&](FoundRun& found) {
                       c.known.add(fact::Execution{std::move(found.run)});
                       c.known.conclude(Verdict::safe, engine);
                   },
                   [&](NoRun) { c.known.conclude(Verdict::vacuous, engine); },
                   [&](Unanswered& none) {
                       report_trouble(c, none);
                       keep_that_none_fails(c, engine);
                   },
               },
               succeeding);
}

} // namespace

void decide_by_runs(Context& c, Engine const& engine, Ask const& ask) {
    RunAnswer failing = ask(Asked::failure);
    std::visit(overloaded{
                   [&](FoundRun& found) {
                       c.known.add(fact::Execution{std::move(found.run)});
                       c.known.conclude(Verdict::violated, engine);
                   },
                   [&](NoRun) { conclude_that_none_fails(c, engine, ask); },
                   [&](Unanswered& none) { report_trouble(c, none); },
               },
               failing);
}

} // namespace matchpoint::check
