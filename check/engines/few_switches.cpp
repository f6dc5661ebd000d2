// Executions of programs with shared variables that have few context switches (executions/shared/few_switches.hpp).
#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "check/engines/engines.hpp"
#include "executions/shared/calmer.hpp"

namespace matchpoint::check {

namespace {

using Clock = std::chrono::steady_clock;
using executions::FewSwitches;

/// What the exact search may take beside a verdict, unless the user asks for the fewest switches.
constexpr std::chrono::milliseconds time_beside{500};
/// What it may take where there is no verdict, and what is found out before.
constexpr std::chrono::milliseconds time_for_a_while{2000};

Run failing_run(Context const& c, FewSwitches const& few) {
    Run run{Matching(c.messages()), few.schedule(), Status::failure,
            few.state().finished() ? Extent::complete : Extent::prefix};
    few.matching(run.matching);
    return run;
}

/// Makes the run one with few switches, so that the exact search has less to do.
void make_calmer(Context& c) {
    Schedule schedule;
    try {
        schedule = calmer(c.messages(), c.options().buffering, c.runs(), c.known.witness()->schedule,
                          [&, end = Clock::now() + time_beside] { return Clock::now() > end || c.out_of_time(); });
    } catch (LimitReached const&) {
        return;
    } catch (std::bad_alloc const&) {
        return;
    }
    Machine machine(c.messages().code(), c.options().buffering);
    Extent const extent = c.runs() == Runs::complete ? Extent::complete : Extent::prefix;
    machine::run(machine, schedule, extent);
    Run run{Matching(c.messages()), std::move(schedule), Status::failure,
            machine.state().finished() ? Extent::complete : Extent::prefix};
    delivered(c.messages(), machine.state(), run.matching);
    c.known.show_instead(std::move(run));
}

/// Without an end it goes on as long as the check may take.
std::function<bool()> is_late(Context const& c, std::optional<Clock::time_point> end) {
    return [&c, end] { return c.out_of_time() || (end && Clock::now() > *end); };
}

/// `time`: what it may take to find out what helps the search.
FewSwitches::Options options_of(Context& c, std::chrono::milliseconds time) {
    FewSwitches::Options options;
    options.buffering = c.options().buffering;
    options.runs = c.runs();
    options.model = c.options().model;
    options.steps = c.options().steps;
    if (options.model != nullptr) return options;
    try {
        options.movers = movers_without_races(c, time);
        options.needs = assertion_needs(c, time);
    } catch (OutOfTime const&) {
        // The search stops soon.
    }
    return options;
}

/// None if a limit ended it for good: then it found none with fewer switches than it came to.
std::optional<FewSwitches::Answer> answer_of(Context& c, FewSwitches& few, std::uint32_t most,
                                             std::function<bool()> stop) {
    std::uint64_t const before = few.steps();
    std::optional<FewSwitches::Answer> answer;
    try {
        answer = few.search_on(most, std::move(stop));
    } catch (LimitReached const&) {
        // The verdict is unaffected.
    } catch (std::bad_alloc const&) {
        // The same.
    }
    c.known.work().steps += few.steps() - before;
    return answer;
}

/// Goes on with up to so many switches, until then.
void explore_switches(Context& c, std::uint32_t most, std::optional<Clock::time_point> end) {
    if (!c.few_switches) return;
    FewSwitches& few = *c.few_switches;
    auto const answer = answer_of(c, few, most, is_late(c, end));
    if (answer == FewSwitches::Answer::found) {
        c.known.add(fact::Execution{failing_run(c, few)});
        c.known.conclude(Verdict::violated, {"explore"});
        return;
    }
    if (few.has_seen_all()) {
        c.known.add(fact::NeverFails{}, {"explore"});
        conclude_from_one_execution(c);
    }
    if (few.switches() > 0) c.explored_switches = few.switches() - 1;
    if (!answer || few.has_seen_all()) c.few_switches.reset();
}

/// A tenth of the time that is left, if it is limited.
std::chrono::milliseconds a_while(Context const& c) {
    auto const left = c.time_left();
    return left ? std::min(time_for_a_while, *left / 10) : time_for_a_while;
}

/// Begins the search, which has so much time.
void explore_first_switches(Context& c, std::uint32_t most, std::chrono::milliseconds time) {
    auto const end = Clock::now() + time;
    try {
        c.few_switches.emplace(c.messages(), options_of(c, time));
    } catch (OutOfTime const&) {
        throw;
    } catch (LimitReached const&) {
        return;
    }
    explore_switches(c, most, end);
}

} // namespace

void explore_three_switches(Context& c) {
    c.activity().begin(Activity::Stage::exploring);
    explore_first_switches(c, 3, a_while(c));
}

void explore_switches_of_window(Context& c) { explore_first_switches(c, UINT32_MAX, *c.time_left() * 2 / 3); }

void explore_few_switches(Context& c) { explore_switches(c, UINT32_MAX, Clock::now() + a_while(c)); }

void explore_more_switches(Context& c) { explore_switches(c, UINT32_MAX, std::nullopt); }

void find_few_switches(Context& c) {
    if (c.options().model == nullptr) make_calmer(c);
    bool const is_asked = c.options().switches;
    auto const end = is_asked ? std::nullopt : std::optional(Clock::now() + time_beside);
    FewSwitches::Options options = options_of(c, is_asked ? time_for_a_while : time_beside);
    auto const most = context_switches(c.messages().code(), c.known.witness()->schedule);
    if (!is_asked) options.steps = beside_steps;
    FewSwitches few(c.messages(), options);
    if (answer_of(c, few, most, is_late(c, end)) != FewSwitches::Answer::found) {
        c.known.show_switches({std::max(few.switches(), std::min(c.fewest_switches, most)), most});
        return;
    }
    if (few.switches() < c.fewest_switches)
        c.known.contradict(c.by_smt(), fmt::format("with fewer than {} context switches fails", c.fewest_switches));
    c.known.show_switches({few.switches(), few.switches()});
    c.known.show_instead(failing_run(c, few));
}

} // namespace matchpoint::check
