#include "check/check.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "check/engines/engines.hpp"
#include "check/leaves_path.hpp"
#include "check/lowered_check.hpp"

namespace matchpoint::check {

namespace {

/// Cheap engines first. Each one is asked only for what the engines before it left open.
void decide_automatically(Context& c) {
    std::uint64_t const all_steps = c.options().steps;
    std::uint64_t const few_steps = std::min(all_steps, c.few_steps());
    sample(c);
    conclude_from_samples(c);
    if (!c.is_settled()) explore(c, {.steps = few_steps, .is_last = all_steps <= few_steps});
    if (!c.has_verdict()) sample_suspects(c);
    if (!c.has_verdict()) sample_slow_channels(c);
    if (!c.has_verdict()) decide_by_sat(c, some_calls);
    if (!c.has_verdict()) decide_by_smt(c);
    if (!c.is_settled() && !c.is_explored) look_for_stops(c);
    if (!c.has_verdict() && !c.is_explored) explore(c, {.steps = all_steps});
}

/// Samples show what they can beside the answer of the solver, and say whether any run completes at all.
void decide_by_solver(Context& c, std::function<void(Context&)> const& decide) {
    sample(c);
    if (!c.has_verdict()) decide(c);
    conclude_from_samples(c); // in case the solver did not answer
    look_for_stops(c);
}

/// Decides a program that is not plain, without lowering it.
void decide_unlowered(Context& c) {
    std::uint64_t const all_steps = c.options().steps;
    EngineChoice const engine = c.options().engine;
    bool const has_machine = engine == EngineChoice::automatic || engine == EngineChoice::explore;
    sample(c);
    if (has_machine) conclude_from_samples(c);
    std::uint64_t const few_steps = engine == EngineChoice::explore ? all_steps : std::min(all_steps, c.few_steps());
    if (has_machine && !c.is_settled()) explore(c, {.steps = few_steps, .is_last = few_steps == all_steps});
    if (engine == EngineChoice::automatic && !c.has_verdict()) sample_slow_channels(c);
    if (engine != EngineChoice::explore && !c.is_settled()) decide_by_selecting(c);
    if (!has_machine || c.is_settled() || c.is_explored || few_steps == all_steps) return;
    explore(c, c.has_verdict() ? Effort{std::min(all_steps, beside_steps), beside_time} : Effort{all_steps});
}

/// The machine shows deadlocks, faults and data races beside the answer of a solver, as far as it gets in a while.
void decide_sharing(Context& c) {
    EngineChoice const engine = c.options().engine;
    bool const by_solver = (engine == EngineChoice::smt || engine == EngineChoice::sat) &&
                           c.options().model == nullptr && c.messages().code().has_plain_messages();
    if (by_solver) {
        c.result.race.emplace(); // open, should the solver not answer
        if (engine == EngineChoice::smt)
            decide_by_smt_of_sharing(c);
        else
            decide_by_sat_of_sharing(c, UINT64_MAX);
    }
    if (!by_solver || c.has_verdict()) explore_interleavings(c);
}

void decide(Context& c) {
    if (c.messages().code().shares() || c.options().model != nullptr) return decide_sharing(c);
    if (!c.messages().code().is_plain()) return decide_unlowered(c);
    switch (c.options().engine) {
    case EngineChoice::automatic: decide_automatically(c); break;
    case EngineChoice::explore: explore(c, {.steps = c.options().steps}); break;
    case EngineChoice::sat: decide_by_solver(c, [](Context& context) { decide_by_sat(context, UINT64_MAX); }); break;
    case EngineChoice::smt: decide_by_solver(c, decide_by_smt); break;
    }
}

CheckResult check_as_it_is(MessageIndex const& messages, CheckOptions const& options) {
    Context c(messages, options);
    Watch const watch = c.watch();
    try {
        decide(c);
    } catch (LimitReached const& e) {
        c.report({Trouble::Kind::limit, e.what()});
    } catch (std::bad_alloc const&) {
        c.report({Trouble::Kind::limit, "out of memory"});
    }
    c.activity().begin(Activity::Stage::comparing);
    if (c.result.verdict == Verdict::violated) {
        if (messages.code().shares() || options.model != nullptr)
            find_few_switches(c);
        else
            find_nearest_safe_run(c);
    }
    return std::move(c.result);
}

/// Solvers do not know selectors, modes and barriers beside shared variables.
CheckResult check_sharing(MessageIndex const& messages, CheckOptions const& options) {
    CheckResult result = check_as_it_is(messages, options);
    bool const by_solver = options.engine == EngineChoice::sat || options.engine == EngineChoice::smt;
    if (by_solver && !messages.code().has_plain_messages())
        result.trouble.push_back(
            {Trouble::Kind::limit,
             fmt::format(
                 "{}: programs with shared variables and selectors, modes or barriers are decided by exploration only",
                 options.engine == EngineChoice::sat ? "sat" : "smt")});
    return result;
}

} // namespace

CheckResult check_itself(MessageIndex const& messages, CheckOptions const& options) {
    if (messages.code().shares() || options.model != nullptr) return check_sharing(messages, options);
    if (messages.code().is_plain() || options.engine == EngineChoice::explore) return check_as_it_is(messages, options);
    Context c(messages, options);
    CheckOptions rest = options;
    std::string why_not;
    try {
        auto const lowered = [&] {
            Watch const watch = c.watch(); // what is found in time is raised even if time is up then
            return Lowered::of(messages, options.buffering);
        }();
        rest.time = c.time_left();
        if (lowered) return check_lowered(messages, **lowered, rest);
        why_not = lowered.error();
    } catch (LimitReached const& e) {
        c.report({Trouble::Kind::limit, e.what()});
        return std::move(c.result);
    } catch (std::bad_alloc const&) {
        c.report({Trouble::Kind::limit, "out of memory"});
        return std::move(c.result);
    }
    if (options.engine == EngineChoice::sat) rest.engine = EngineChoice::explore;
    CheckResult result = check_as_it_is(messages, rest);
    if (options.engine == EngineChoice::sat) result.trouble.push_back({Trouble::Kind::limit, "sat: " + why_not});
    return result;
}

CheckResult check(MessageIndex const& messages, CheckOptions const& options) {
    auto const begin = std::chrono::steady_clock::now();
    CheckResult result = check_itself(messages, options);
    if (!options.leaves_path || options.model != nullptr) return result;
    auto left = options.time;
    if (left) {
        auto const taken =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
        left = std::max(*left - taken, std::chrono::milliseconds(0));
    }
    decide_leaving(messages, options, left, result);
    return result;
}

void decide_by_runs(Context& c, Engine const& engine, std::function<RunAnswer(Asked)> const& ask) {
    auto const no_answer = [&](Unanswered& none) {
        if (none.trouble) c.report(std::move(*none.trouble));
    };
    auto const none_fails = [&] {
        if (c.failure) return c.contradict(engine, "fails");
        if (c.success) return c.conclude(Verdict::safe, engine);
        if (c.none_completes) return c.conclude(Verdict::vacuous, engine);
        RunAnswer succeeding = ask(Asked::success);
        std::visit(overloaded{
                       [&](FoundRun& found) {
                           c.keep(std::move(found.run));
                           c.conclude(Verdict::safe, engine);
                       },
                       [&](NoRun) { c.conclude(Verdict::vacuous, engine); },
                       no_answer,
                   },
                   succeeding);
    };
    RunAnswer failing = ask(Asked::failure);
    std::visit(overloaded{
                   [&](FoundRun& found) {
                       c.keep(std::move(found.run));
                       c.conclude(Verdict::violated, engine);
                   },
                   [&](NoRun) { none_fails(); },
                   no_answer,
               },
               failing);
}

std::string_view to_string(Reached::Answer answer) {
    switch (answer) {
    case Reached::Answer::no: return "no";
    case Reached::Answer::yes: return "yes";
    case Reached::Answer::unknown: break;
    }
    return "unknown";
}

std::string_view to_string(Verdict v) {
    switch (v) {
    case Verdict::violated: return "violated";
    case Verdict::safe: return "safe";
    case Verdict::vacuous: return "vacuous";
    case Verdict::unknown: break;
    }
    return "unknown";
}

std::uint32_t orphans_at(MessageIndex const& messages, Endpoint beta) {
    auto const receives = static_cast<std::uint32_t>(messages.receives_at(beta).size());
    return messages.sends_to(beta) > receives ? messages.sends_to(beta) - receives : 0;
}

} // namespace matchpoint::check
