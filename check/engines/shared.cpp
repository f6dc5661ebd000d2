// The SMT solver, on the encoding of programs with shared variables.
#include <algorithm>

#include <fmt/format.h>

#include "base/overloaded.hpp"
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

RunAnswer ask_about_sharing(Context& c, MatchPairs const& pairs, Asked asked) {
    EncoderOptions encoding;
    encoding.buffering = c.options().buffering;
    encoding.asked = asked;
    encoding.runs = c.options().runs;
    encoding.check_sat = false;
    SharedQuestion const question(c.messages(), pairs, encoding);
    return std::visit(overloaded{
                          [&](SolverModel const& model) { return follow(c, question, asked, model.text); },
                          [](NoModel) { return RunAnswer(NoRun{}); },
                          [](Unanswered const& none) { return RunAnswer(none); },
                      },
                      ask_solver(c, question.text(), std::nullopt));
}

} // namespace

void decide_by_smt_of_sharing(Context& c) {
    if (reads_and_writes(c.messages()) > most_reads_and_writes)
        return c.known.report(
            {Trouble::Kind::limit, "smt: too many writes for each read: the problem would be too large"});
    MatchPairs const pairs = overapprox(c.messages());
    c.known.work().match_pairs = pairs.size();
    decide_by_runs(c, c.by_smt(), [&](Asked asked) { return ask_about_sharing(c, pairs, asked); });
}

} // namespace matchpoint::check
