// All executions that can differ in what is asked, by the reference machine.
#include <algorithm>

#include <fmt/format.h>

#include "check/engines.hpp"
#include "report/words.hpp"

namespace matchpoint::check {

namespace {

using Clock = std::chrono::steady_clock;

/// An execution can contradict what a solver said before.
void withdraw_if_contradicted(Context& c) {
    Verdict const v = c.result.verdict;
    bool const fails = c.failure && (v == Verdict::safe || v == Verdict::vacuous);
    if (!fails && !(c.success && v == Verdict::vacuous)) return;
    c.report({Trouble::Kind::wrong_answer, fmt::format("{} says that no execution {}, and here is one that does",
                                                       c.options().solver.name, fails ? "fails" : "succeeds")});
    c.withdraw();
}

/// False: the effort was not enough.
bool explore_until_settled(Context& c, Explorer& explorer, Effort const& effort) {
    std::uint64_t const slice = c.few_steps(); // between two looks at the clock
    auto const begin = Clock::now();
    while (!explorer.done()) {
        std::uint64_t const left = effort.steps - std::min(effort.steps, explorer.steps());
        try {
            if (auto const end = explorer.next(std::min(slice, left))) {
                c.record(explorer, *end);
                withdraw_if_contradicted(c);
            }
        } catch (OutOfTime const&) {
            return false;
        }
        Activity::set(c.activity().executions, explorer.counts().executions);
        Activity::set(c.activity().steps, explorer.steps());
        if (c.failure) c.conclude(Verdict::violated, "explore");
        if (c.is_settled() || explorer.done()) break;
        bool const is_late = c.out_of_time() || (effort.time && Clock::now() - begin > *effort.time);
        if (explorer.steps() >= effort.steps || is_late) return false;
    }
    return true;
}

void report_limit(Context& c, Explorer const& explorer) {
    c.report({Trouble::Kind::limit,
              fmt::format("exploration {} after {}, {} seen", c.out_of_time() ? "out of time" : "stopped",
                          plural(explorer.steps(), "machine step"), plural(explorer.counts().states, "state"))});
}

/// What no execution reached cannot be reached.
void conclude_from_all(Context& c) {
    for (Reached* const reached : {&c.result.deadlock, &c.result.fault})
        if (reached->answer == Reached::Answer::unknown) reached->answer = Reached::Answer::no;
    c.conclude(c.success ? Verdict::safe : Verdict::vacuous, "explore");
}

} // namespace

void explore(Context& c, Effort const& effort) {
    Explorer::Options options;
    options.buffering = c.options().buffering;
    options.verdicts_only = true;
    options.runs = c.runs();
    options.control_only = c.has_verdict() && !c.values_steer(); // then only deadlocks are open
    Explorer explorer(c.messages(), options);
    c.activity().begin(Activity::Stage::exploring);
    conclude_from_samples(c);
    bool const is_enough = explore_until_settled(c, explorer, effort);
    c.is_explored = explorer.done();
    c.result.executions += explorer.counts().executions;
    c.result.steps += explorer.steps();
    if (!is_enough && effort.is_last) report_limit(c, explorer);
    if (explorer.done()) conclude_from_all(c);
}

} // namespace matchpoint::check
