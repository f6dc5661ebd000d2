#include "check/check.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "check/engines/engines.hpp"
#include "check/leaves_path.hpp"
#include "check/lowered_check.hpp"
#include "check/plan.hpp"
#include "check/refusing.hpp"

namespace matchpoint::check {

namespace {

std::string windows_in_words(CheckResult::Windows const& w) {
    std::string const few =
        w.switches ? fmt::format(", with at most {} in it,", plural(*w.switches, "context switch", "context switches"))
                   : "";
    std::string const of =
        w.looked_at < w.all ? fmt::format("{} of {}", w.looked_at, plural(w.all, "window")) : plural(w.all, "window");
    std::string const rest =
        w.switches && w.whole > 0 ? fmt::format("; in {} of them none with more does either", w.whole) : "";
    return fmt::format(
        "no execution fails that reorders the events of one window{} ({} of {} of the run, overlapping by "
        "half or more){}; whether another one does is not known",
        few, of, plural(w.events, "event"), rest);
}

CheckResult check_as_it_is(MessageIndex const& messages, CheckOptions const& options) {
    Context c(messages, options);
    Watch const watch = c.watch();
    try {
        run_plan(c, plan(c));
        if (!c.known.has_verdict() && !c.left_out.empty())
            c.known.report({Trouble::Kind::limit, fmt::format("left out: {}", fmt::join(c.left_out, ", "))});
    } catch (LimitReached const& e) {
        c.known.report({Trouble::Kind::limit, e.what()});
    } catch (std::bad_alloc const&) {
        c.known.report({Trouble::Kind::limit, "out of memory"});
    }
    if (c.explored_switches && !c.known.has_verdict())
        c.known.report(
            {Trouble::Kind::limit, fmt::format("no {} with at most {} fails; whether one with more does is not known",
                                               c.runs() == Runs::complete ? "complete run" : "execution",
                                               plural(*c.explored_switches, "context switch", "context switches"))});
    if (c.windows && !c.known.has_verdict()) c.known.report({Trouble::Kind::limit, windows_in_words(*c.windows)});
    c.activity().begin(Activity::Stage::comparing);
    if (c.known.verdict() == Verdict::violated) {
        if (messages.code().shares() || options.model != nullptr)
            find_few_switches(c);
        else if (options.pairs == nullptr)
            find_nearest_safe_run(c);
    }
    CheckResult result = c.known.take();
    if (result.verdict == Verdict::unknown) result.windows = c.windows;
    return result;
}

/// Solvers do not know selectors, modes, barriers and endpoints of several threads beside shared variables.
CheckResult check_sharing(MessageIndex const& messages, CheckOptions const& options) {
    CheckResult result = check_as_it_is(messages, options);
    bool const by_solver = options.engine == EngineChoice::sat || options.engine == EngineChoice::smt;
    if (by_solver && !messages.code().has_plain_messages())
        result.trouble.push_back(
            {Trouble::Kind::limit, fmt::format("{}: programs with shared variables and selectors, modes, barriers or "
                                               "endpoints of several threads, and programs with ready sends that "
                                               "may find no receive, are decided by exploration only",
                                               options.engine == EngineChoice::sat ? "sat" : "smt")});
    return result;
}

} // namespace

CheckResult check_itself(MessageIndex const& messages, CheckOptions const& options) {
    if (messages.order_matters() || options.model != nullptr) return check_sharing(messages, options);
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
        c.known.report({Trouble::Kind::limit, e.what()});
        return c.known.take();
    } catch (std::bad_alloc const&) {
        c.known.report({Trouble::Kind::limit, "out of memory"});
        return c.known.take();
    }
    if (options.engine == EngineChoice::sat) rest.engine = EngineChoice::explore;
    CheckResult result = check_as_it_is(messages, rest);
    if (options.engine == EngineChoice::sat) result.trouble.push_back({Trouble::Kind::limit, "sat: " + why_not});
    if (options.engine == EngineChoice::smt &&
        (messages.code().has_probes() || messages.code().collectives() != nullptr)) // it was explored as well
        result.trouble.push_back({Trouble::Kind::limit, "smt: " + why_not});
    return result;
}

CheckResult check(MessageIndex const& messages, CheckOptions const& options) {
    auto const begin = std::chrono::steady_clock::now();
    auto const left = [&]() -> std::optional<std::chrono::milliseconds> {
        if (!options.time) return std::nullopt;
        auto const taken =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
        return std::max(*options.time - taken, std::chrono::milliseconds(0));
    };
    CheckResult result = check_itself(messages, options);
    if (options.refusals == Refusals::any && options.stops) decide_refusing(messages, options, left(), result);
    if (options.leaves_path && options.model == nullptr) decide_leaving(messages, options, left(), result);
    return result;
}

std::string_view shown_buffering(CheckOptions const& options) {
    return options.refusals == Refusals::any ? "any" : machine::to_string(options.buffering);
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
