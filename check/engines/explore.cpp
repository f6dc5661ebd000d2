// All executions that can differ in what is asked, by the reference machine.
#include <algorithm>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "base/text.hpp"
#include "check/engines/engines.hpp"
#include "executions/shared/calmer.hpp"
#include "executions/shared/few_switches.hpp"
#include "executions/shared/interleavings.hpp"
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

/// False: the effort was not enough.
template <typename Search>
bool explore_until_settled(Context& c, Search& explorer, Effort const& effort) {
    Slices slices(c);
    auto const begin = Clock::now();
    while (!explorer.done()) {
        std::uint64_t const left = effort.steps - std::min(effort.steps, explorer.steps());
        try {
            if (auto const end = explorer.next(std::min(slices.next(), left))) c.record(explorer, *end);
        } catch (OutOfTime const&) {
            return false;
        }
        Activity::set(c.activity().executions, explorer.counts().executions);
        Activity::set(c.activity().steps, explorer.steps());
        if (c.failure) c.conclude(Verdict::violated, {"explore"});
        if (c.fails_never_by && c.success) c.conclude(Verdict::safe, *c.fails_never_by);
        if (c.is_settled() || explorer.done() || (effort.only_verdict && c.has_verdict())) break;
        bool const is_late = c.out_of_time() || (effort.time && Clock::now() - begin > *effort.time);
        if (explorer.steps() >= effort.steps || is_late) return false;
    }
    return true;
}

template <typename Search>
void report_limit(Context& c, Search const& explorer) {
    c.report({Trouble::Kind::limit,
              fmt::format("exploration {} after {}, {} seen", c.out_of_time() ? "out of time" : "stopped",
                          plural(explorer.steps(), "machine step"), plural(explorer.counts().states, "state"))});
}

/// What no execution reached cannot be reached. `only_stops`: executions that may differ in their verdicts were left
/// out.
void conclude_from_all(Context& c, bool only_stops) {
    for (Stop const stop : {Stop::deadlock, Stop::fault})
        if (c.is_open(stop) && c.options().model == nullptr) c.rule_out(stop, {"explore"});
    if (only_stops || c.has_verdict()) return;
    // A model has the trace itself, which succeeds if it does not fail.
    c.conclude(c.success || c.options().model != nullptr ? Verdict::safe : Verdict::vacuous, {"explore"});
}

template <typename Search>
void explore(Context& c, Search& explorer, Effort const& effort, bool only_stops,
             std::function<bool()> const& beside = {}) {
    bool is_enough = explore_until_settled(c, explorer, effort);
    // Time has to be left for a witness that people can read.
    if (is_enough && beside && c.options().stops && !c.is_settled()) is_enough = beside();
    c.is_explored = explorer.done();
    c.result.executions += explorer.counts().executions;
    c.result.steps += explorer.steps();
    if (!is_enough && effort.is_last) report_limit(c, explorer);
    if (explorer.done()) conclude_from_all(c, only_stops);
}

/// All else is settled: goes on for a while.
void look_for_race(Context& c, Interleavings& interleavings) {
    auto const begin = Clock::now();
    std::uint64_t const before = interleavings.steps();
    try {
        Slices slices(c);
        while (!interleavings.done() && interleavings.race() == nullptr) {
            static_cast<void>(interleavings.next(slices.next()));
            bool const is_late = c.out_of_time() || Clock::now() - begin > beside_time;
            if (is_late || interleavings.steps() >= c.options().steps) break;
        }
    } catch (OutOfTime const&) {
        // It is not known.
    }
    c.result.steps += interleavings.steps() - before;
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
    explore(c, explorer, effort, options.control_only);
}

namespace {

void decide_races(Context& c, Interleavings& interleavings) {
    bool const is_open = c.result.race->answer == Reached::Answer::unknown;
    if (is_open && c.options().stops && interleavings.race() == nullptr) look_for_race(c, interleavings);
    if (auto const* const race = interleavings.race())
        c.found(
            Race{Reached::Answer::yes, race->conflict.first, race->conflict.second, race->conflict.x, race->schedule});
    else if (interleavings.done())
        c.rule_out_race();
}

/// What exploration of a program with shared variables may take before SAT is asked. It is done with most programs by
/// then.
constexpr Effort before_sat{.steps = 1'000'000, .time = std::chrono::milliseconds(1500), .only_verdict = true};

/// What it may take before samples aim at deadlocks, and before deadlocks are problems of their own.
constexpr std::chrono::milliseconds before_samples{300};
constexpr std::chrono::milliseconds before_deadlocks{1000};

/// Beside a verdict: deadlocks and faults. False: the effort was not enough.
bool explore_beside(Context& c, Interleavings& interleavings) {
    std::uint64_t const all_steps = c.options().steps;
    if (c.options().engine == EngineChoice::automatic && c.options().model == nullptr) {
        // What exploration finds soon is short.
        Effort const soon{.steps = std::min(all_steps, c.few_steps()), .time = before_samples};
        if (explore_until_settled(c, interleavings, soon)) return true;
        sample_deadlocks(c);
        if (c.is_settled()) return true;
        if (explore_until_settled(c, interleavings, {.steps = all_steps, .time = before_deadlocks})) return true;
        decide_deadlocks(c);
        if (c.is_settled()) return true;
    }
    // If a run fails, we then look for a witness that people can read.
    std::chrono::milliseconds time = beside_time;
    if (auto const left = c.time_left(); left && c.result.verdict != Verdict::violated) time = std::max(time, *left);
    return explore_until_settled(c, interleavings, {.steps = all_steps, .time = time});
}

/// A short exploration, then samples, invariants and SAT.
void try_solvers(Context& c, Interleavings& interleavings) {
    Effort effort = before_sat;
    effort.steps = std::min(effort.steps, c.options().steps);
    explore_until_settled(c, interleavings, effort);
    if (interleavings.done() || c.has_verdict()) return;
    sample_interleavings(c);
    if (c.has_verdict() || c.out_of_time() || !c.messages().code().has_plain_messages()) return;
    std::optional<Trouble> trouble = decide_by_invariants(c);
    if (!c.has_verdict() && !c.out_of_time()) decide_by_sat_of_sharing(c, some_calls);
    if (!c.has_verdict() && trouble) c.report(std::move(*trouble));
}

} // namespace

void explore_interleavings(Context& c) {
    Interleavings interleavings(c.messages(), c.options().buffering, c.options().model);
    c.activity().begin(Activity::Stage::exploring);
    bool const asks_for_races = c.options().model == nullptr;
    if (asks_for_races) c.result.race.emplace(); // known to be open, should memory run out
    if (asks_for_races && c.options().engine == EngineChoice::automatic) decide_by_counting(c);
    if (asks_for_races && c.options().engine == EngineChoice::automatic && !c.has_verdict())
        try_solvers(c, interleavings);
    if (!c.is_settled())
        explore(c, interleavings, {.steps = c.options().steps, .only_verdict = true}, false,
                [&] { return explore_beside(c, interleavings); });
    if (asks_for_races) decide_races(c, interleavings);
}

namespace {

/// What the exact search may take, unless the user asks for the fewest switches.
constexpr std::chrono::milliseconds time_for_few_switches{500};

/// Makes the run one with few switches, so that the exact search has less to do.
void make_calmer(Context& c) {
    Schedule schedule;
    try {
        schedule =
            calmer(c.messages(), c.options().buffering, c.runs(), c.result.run->schedule,
                   [&, end = Clock::now() + time_for_few_switches] { return Clock::now() > end || c.out_of_time(); });
    } catch (LimitReached const&) {
        return;
    } catch (std::bad_alloc const&) {
        return;
    }
    Machine machine(c.messages().code(), c.options().buffering);
    Extent const extent = c.runs() == Runs::complete ? Extent::complete : Extent::prefix;
    if (machine::run(machine, schedule, extent).s != Status::failure)
        throw std::logic_error("check: a calmer execution does not replay");
    Run run{Matching(c.messages()), std::move(schedule), Status::failure,
            machine.state().finished() ? Extent::complete : Extent::prefix};
    delivered(c.messages(), machine.state(), run.matching);
    c.result.run = std::move(run);
}

} // namespace

void find_few_switches(Context& c) {
    if (c.options().model == nullptr) make_calmer(c);
    Run const& known = *c.result.run;
    FewSwitches::Options options;
    options.buffering = c.options().buffering;
    options.runs = c.runs();
    options.model = c.options().model;
    options.most = context_switches(c.messages().code(), known.schedule);
    bool const is_asked = c.options().switches;
    options.steps = is_asked ? c.options().steps : beside_steps;
    options.stop = [&c, is_asked, end = Clock::now() + time_for_few_switches, calls = 0U]() mutable {
        constexpr unsigned calls_between_looks = 256; // at the clock
        return ++calls % calls_between_looks == 0 && (c.out_of_time() || (!is_asked && Clock::now() > end));
    };
    FewSwitches few(c.messages(), options);
    FewSwitches::Answer answer = FewSwitches::Answer::stopped;
    try {
        answer = few.search();
    } catch (LimitReached const&) {
        // It is out of time, or a value is too large. So far it found none with fewer.
    } catch (std::bad_alloc const&) {
        // The verdict is unaffected.
    }
    c.result.steps += few.steps();
    if (answer != FewSwitches::Answer::found) {
        c.result.switches = {few.switches(), options.most};
        return;
    }
    c.result.switches = {few.switches(), few.switches()};
    Run run{Matching(c.messages()), few.schedule(), Status::failure,
            few.state().finished() ? Extent::complete : Extent::prefix};
    few.matching(run.matching);
    if (c.replay(run.schedule, run.extent).s != Status::failure)
        throw std::logic_error("check: a failing execution with few switches does not replay");
    c.result.run = std::move(run);
}

} // namespace matchpoint::check
