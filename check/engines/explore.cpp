// All executions that can differ in what is asked, by the reference machine.
#include <algorithm>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "base/text.hpp"
#include "check/confirmed.hpp"
#include "check/engines/engines.hpp"
#include "check/needed_steps.hpp"
#include "check/plan.hpp"
#include "explain/words.hpp"

namespace matchpoint::check {

namespace {

using Clock = std::chrono::steady_clock;

/// Machine steps between two looks at the clock: some milliseconds. The more threads, the more a state costs.
class Slices {
public:
    explicit Slices(Context const& c) : most_(c.few_steps()), steps_(std::min<std::uint64_t>(most_, 100)) {}
    std::uint64_t next() {
        constexpr std::chrono::milliseconds short_time{5};
        constexpr std::chrono::milliseconds long_time{20};
        auto const now = Clock::now();
        if (last_ && now - *last_ < short_time) steps_ = std::min(most_, steps_ * 2);
        if (last_ && now - *last_ > long_time) steps_ = std::max<std::uint64_t>(1, steps_ / 2);
        last_ = now;
        return steps_;
    }

private:
    std::uint64_t most_;
    std::uint64_t steps_;
    std::optional<Clock::time_point> last_;
};

Scheduler const& execution_of(Scheduler const& search) { return search; }
Scheduler const& execution_of(executions::StagedInterleavings const& all) { return all.search(); }

/// False: the effort was not enough.
template <typename Search>
bool explore_until_settled(Context& c, Search& explorer, Effort const& effort) {
    Slices slices(c);
    auto const begin = Clock::now();
    while (!explorer.done()) {
        std::uint64_t const left = effort.steps - std::min(effort.steps, explorer.steps());
        try {
            if (auto const end = explorer.next(std::min(slices.next(), left)))
                c.known.record(execution_of(explorer), *end);
        } catch (OutOfTime const&) {
            return false;
        }
        Activity::set(c.activity().executions, explorer.counts().executions);
        Activity::set(c.activity().steps, explorer.steps());
        if (c.known.failure()) c.known.conclude(Verdict::violated, {"explore"});
        if (c.known.fails_never_by() && c.known.success()) c.known.conclude(Verdict::safe, *c.known.fails_never_by());
        if (c.known.is_settled() || explorer.done() || (effort.only_verdict && c.known.has_verdict())) break;
        bool const is_late = c.out_of_time() || (effort.time && Clock::now() - begin > *effort.time);
        if (explorer.steps() >= effort.steps || is_late) return false;
    }
    return true;
}

template <typename Search>
void report_limit(Context& c, Search const& explorer, Effort const& effort) {
    c.known.report({Trouble::Kind::limit,
                    fmt::format("exploration {} after {}, {} seen",
                                explorer.steps() < effort.steps || c.out_of_time() ? "out of time" : "stopped",
                                plural(explorer.steps(), "machine step"), plural(explorer.counts().states, "state"))});
}

/// What no execution reached cannot be reached. `only_stops`: executions that may differ in their verdicts were left
/// out.
void conclude_from_all(Context& c, bool only_stops) {
    for (Stop const stop : {Stop::deadlock, Stop::fault})
        if (c.known.is_open(stop) && c.options().model == nullptr) c.known.add(fact::NeverStuck{stop}, {"explore"});
    if (only_stops || c.known.has_verdict()) return;
    // A model has the trace itself, which succeeds if it does not fail.
    c.known.conclude(c.known.success() || c.options().model != nullptr ? Verdict::safe : Verdict::vacuous, {"explore"});
}

template <typename Search>
void explore(Context& c, Search& explorer, Effort const& effort, bool only_stops,
             std::function<bool()> const& beside = {}) {
    bool is_enough = explore_until_settled(c, explorer, effort);
    // Time has to be left for a witness that people can read.
    if (is_enough && beside && c.options().stops && !c.known.is_settled()) is_enough = beside();
    c.is_explored = explorer.done();
    c.known.work().executions += explorer.counts().executions;
    c.known.work().steps += explorer.steps();
    if (!is_enough && effort.is_last) report_limit(c, explorer, effort);
    if (explorer.done()) conclude_from_all(c, only_stops);
}

/// With the steps that it needs, as far as they are found in a short time.
void show_race(Context& c, executions::UntilEnd::Race const& found) {
    constexpr std::chrono::milliseconds time_for_needed_steps{500};
    Race race{Reached::Answer::yes, found.conflict.first, found.conflict.second, found.conflict.x, found.schedule};
    c.known.add(fact::Races{race});
    Machine const initial(c.messages().code(), c.options().buffering);
    auto const leads_there = [&](Schedule const& schedule) {
        Machine machine(c.messages().code(), c.options().buffering);
        race.schedule = schedule;
        return ends_in_race(c.messages(), machine, race);
    };
    try {
        race.schedule =
            needed_steps(initial, found.schedule, leads_there, [&, end = Clock::now() + time_for_needed_steps] {
                return Clock::now() > end || c.out_of_time();
            });
    } catch (LimitReached const&) {
        return;
    } catch (std::bad_alloc const&) {
        return;
    }
    c.known.add(fact::Races{std::move(race)});
}

/// All else is settled: goes on for a while.
void look_for_race(Context& c, executions::StagedInterleavings& interleavings, Clock::duration time) {
    auto const begin = Clock::now();
    std::uint64_t const before = interleavings.steps();
    try {
        Slices slices(c);
        while (!interleavings.done() && interleavings.race() == nullptr) {
            static_cast<void>(interleavings.next(slices.next()));
            bool const is_late = c.out_of_time() || Clock::now() - begin > time;
            if (is_late || interleavings.steps() >= c.options().steps) break;
        }
    } catch (OutOfTime const&) {
        // It is not known.
    }
    c.known.work().steps += interleavings.steps() - before;
}

} // namespace

void explore(Context& c, Effort const& effort) {
    Explorer::Options options;
    options.buffering = c.options().buffering;
    options.verdicts_only = true;
    options.runs = c.runs();
    options.control_only = c.known.has_verdict() && !c.values_steer(); // then only deadlocks are open
    Explorer explorer(c.messages(), options);
    c.activity().begin(Activity::Stage::exploring);
    conclude_from_samples(c);
    explore(c, explorer, effort, options.control_only);
}

// ---- Programs with shared variables ----

namespace {

/// What exploration may take before SAT is asked. It is done with most programs by then.
constexpr Effort before_sat{.steps = 1'000'000, .time = std::chrono::milliseconds(1500), .only_verdict = true};

/// What it may take before samples aim at deadlocks, and before deadlocks are problems of their own.
constexpr std::chrono::milliseconds before_samples{300};
constexpr std::chrono::milliseconds before_deadlocks{1000};

/// What longer chains may take to be found.
constexpr std::chrono::milliseconds time_for_movers{3000};

/// The exploration of this check. It goes on from where it was.
executions::StagedInterleavings& interleavings(Context& c) {
    if (!c.interleavings) {
        c.interleavings.emplace(c.messages(), c.options().buffering, c.options().model);
        if (c.movers && c.options().model == nullptr)
            c.interleavings->use(&*c.movers, [&c]() -> executions::Movers const* {
                executions::Movers const* const movers = movers_without_races(c, time_for_movers);
                return movers == nullptr || *movers == *c.movers ? nullptr : movers;
            });
        c.activity().begin(Activity::Stage::exploring);
    }
    return *c.interleavings;
}

/// Beside a verdict: deadlocks and faults. False: the effort was not enough.
bool explore_beside(Context& c, executions::StagedInterleavings& all) {
    run_plan(c, plan_beside(c));
    if (c.known.is_settled() || all.done()) return true;
    // If a run fails, we then look for a witness that people can read.
    std::chrono::milliseconds time = beside_time;
    if (auto const left = c.time_left(); left && c.known.verdict() != Verdict::violated) time = std::max(time, *left);
    return explore_until_settled(c, all, {.steps = c.options().steps, .time = time});
}

void explore_sharing_until(Context& c, Effort effort) {
    effort.steps = std::min(effort.steps, c.options().steps);
    executions::StagedInterleavings& all = interleavings(c);
    explore_until_settled(c, all, effort);
    c.is_explored = all.done();
}

} // namespace

void explore_sharing_for_a_moment(Context& c) { explore_sharing_until(c, before_sat); }

void explore_sharing_soon(Context& c) { explore_sharing_until(c, {.steps = c.few_steps(), .time = before_samples}); }

void explore_sharing_before_deadlocks(Context& c) {
    explore_sharing_until(c, {.steps = UINT64_MAX, .time = before_deadlocks});
}

void explore_window(Context& c) {
    explore_sharing_until(c, {.steps = UINT64_MAX, .time = *c.time_left() * 2 / 3, .only_verdict = true});
}

void explore_sharing(Context& c) {
    executions::StagedInterleavings& all = interleavings(c);
    Effort effort{.steps = c.options().steps, .only_verdict = true};
    // The other half is for the search for few context switches.
    if (auto const left = c.time_left(); left && c.few_switches && !c.known.has_verdict()) effort.time = *left / 2;
    explore(c, all, effort, false, [&] { return explore_beside(c, all); });
}

namespace {

void decide_races_in(Context& c, Clock::duration time) {
    executions::StagedInterleavings& all = interleavings(c);
    if (time > Clock::duration(0) && c.known.is_race_open() && all.race() == nullptr) look_for_race(c, all, time);
    if (all.race() != nullptr)
        show_race(c, *all.race());
    else if (all.done())
        c.known.add(fact::NeverRaces{});
}

} // namespace

void decide_races(Context& c) {
    if (!c.asks_for_races()) return; // a program with ready sends, and without shared variables
    decide_races_in(c, c.options().stops ? Clock::duration(beside_time) : Clock::duration(0));
}

void decide_races_of_window(Context& c) { decide_races_in(c, *c.time_left() / 4); }

} // namespace matchpoint::check
