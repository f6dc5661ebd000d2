// The SMT solver, on the encoding of programs with shared variables.
#include <algorithm>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "check/bound.hpp"
#include "check/engines/engines.hpp"
#include "encode/exact_shared.hpp"
#include "executions/shared/accesses.hpp"

namespace matchpoint::check {

namespace {

/// A part of the problem for each read and each write that it may get.
constexpr std::uint64_t most_reads_and_writes = 10'000'000;

std::uint64_t reads_and_writes(MessageIndex const& messages) {
    struct Count {
        std::uint64_t reads = 0;
        std::uint64_t writes = 0;
    };
    std::vector<Count> counts(messages.code().names().variables.size());
    for (executions::Accesses const& accesses : executions::shared_accesses(messages))
        for (executions::Access const& a : accesses) ++(a.writes ? counts[a.x.index].writes : counts[a.x.index].reads);
    std::uint64_t result = 0;
    for (Count const& count : counts) result += count.reads * count.writes;
    return result;
}

/// Runs the execution of a model.
RunAnswer follow(Context& c, SharedQuestion const& question, Asked asked, std::string_view model) {
    auto schedule = question.schedule(model);
    if (!schedule) return Unanswered{wrong_model(c, schedule.error())};
    Machine machine(c.messages().code(), c.options().buffering);
    Outcome const outcome = run(machine, *schedule, Extent::prefix);
    if (outcome.error || !is_asked(asked, outcome.s))
        return Unanswered{wrong_model(
            c, fmt::format("the execution of its model {}",
                           outcome.error ? "cannot be executed" : fmt::format("ends as {}", to_string(outcome.s))))};
    bool const is_complete = machine.state().finished();
    Run result{Matching(c.messages()), std::move(*schedule), outcome.s,
               is_complete ? Extent::complete : Extent::prefix};
    delivered(c.messages(), machine.state(), result.matching);
    return FoundRun{std::move(result)};
}

EncoderOptions encoder_options(Context const& c, Asked asked) {
    EncoderOptions encoding;
    encoding.buffering = c.options().buffering;
    encoding.asked = asked;
    encoding.runs = c.options().runs;
    encoding.check_sat = false;
    return encoding;
}

RunAnswer ask_about_sharing(Context& c, MatchPairs const& pairs, Asked asked) {
    EncoderOptions const encoding = encoder_options(c, asked);
    SharedQuestion const question(c.messages(), pairs, encoding);
    return std::visit(overloaded{
                          [&](SolverModel const& model) { return follow(c, question, asked, model.text); },
                          [](NoModel const&) { return RunAnswer(NoRun{}); },
                          [](Unanswered const& none) { return RunAnswer(none); },
                      },
                      ask_solver(c, question.text(), std::nullopt));
}

// ---- With a bound on context switches (Section 5.3 of Symbolic Predictive Analysis) ----

/// Whether a core has a condition of the bound. If it has none, no execution fails, whatever the number of context
/// switches. An empty core proves nothing: the assertions without names have a model, so the solver is wrong.
bool needs_bound(std::vector<std::string> const& core) {
    return core.empty() || std::any_of(core.begin(), core.end(), SharedQuestion::is_of_bound);
}

/// Whether an execution with at most so many context switches fails. None if the solver says that none does, and its
/// proof needs the bound.
std::optional<RunAnswer> ask_within_bound(Context& c, MatchPairs const& pairs, std::uint32_t bound) {
    EncoderOptions encoding = encoder_options(c, Asked::failure);
    encoding.switches = bound;
    encoding.cores = true;
    SharedQuestion const question(c.messages(), pairs, encoding);
    return std::visit(
        overloaded{
            [&](SolverModel const& model) { return std::optional(follow(c, question, Asked::failure, model.text)); },
            [](NoModel const& none) {
                return needs_bound(none.core) ? std::nullopt : std::optional<RunAnswer>(NoRun{});
            },
            [](Unanswered const& none) { return std::optional<RunAnswer>(none); },
        },
        ask_solver(c, question.text(), std::nullopt, true));
}

/// Whether an execution fails, as far as the bounds from 0 to the last one tell.
RunAnswer ask_within_bounds(Context& c, MatchPairs const& pairs, std::uint32_t last) {
    for (std::uint32_t bound = 0;; ++bound) {
        if (auto answer = ask_within_bound(c, pairs, bound)) {
            if (std::holds_alternative<NoRun>(*answer)) c.known.show_lifted(bound);
            if (std::holds_alternative<Unanswered>(*answer) && bound > 0) c.known.report(none_fails_with(bound - 1));
            return std::move(*answer);
        }
        c.fewest_switches = bound + 1;
        if (bound == last) return Unanswered{none_fails_with(last)};
    }
}

} // namespace

Trouble none_fails_with(std::uint32_t switches) {
    return {Trouble::Kind::limit,
            fmt::format("smt: no execution with at most {} fails; whether one with more does is not known",
                        plural(switches, "context switch", "context switches"))};
}

bool none_fails_within_bound(CheckResult const& result, CheckOptions const& options) {
    return options.bound && result.verdict == Verdict::unknown &&
           std::find(result.trouble.begin(), result.trouble.end(), none_fails_with(*options.bound)) !=
               result.trouble.end();
}

void decide_by_smt_of_sharing(Context& c) {
    if (reads_and_writes(c.messages()) > most_reads_and_writes)
        return c.known.report(
            {Trouble::Kind::limit, "smt: too many writes for each read: the problem would be too large"});
    MatchPairs const pairs = overapprox(c.messages());
    c.known.work().match_pairs = pairs.size();
    auto const& bound = c.options().bound;
    decide_by_runs(c, c.by_smt(), [&](Asked asked) {
        return bound && asked == Asked::failure ? ask_within_bounds(c, pairs, *bound)
                                                : ask_about_sharing(c, pairs, asked);
    });
}

} // namespace matchpoint::check
