// check with a bound on context switches, against the naive exploration.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "executions/shared/sharing.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

constexpr std::uint32_t bound = 2;

bool has_trouble_of(CheckResult const& found, check::Trouble::Kind kind) {
    return std::any_of(found.trouble.begin(), found.trouble.end(),
                       [&](check::Trouble const& trouble) { return trouble.kind == kind; });
}

/// A violated program has an execution that fails with `fewest` context switches.
std::string wrong_of_violated(CheckResult const& found, Subject const& subject, std::optional<std::size_t> fewest,
                              Tally& tally) {
    if (!fewest || *fewest > bound) return "no execution fails within the bound";
    ++tally[fmt::format("violated with {}", *fewest)];
    if (!found.switches || found.switches->least != *fewest || found.switches->most != *fewest)
        return fmt::format("the fewest context switches are {}", *fewest);
    std::size_t const of_run = executions::context_switches(*subject.loaded.code, found.run->schedule);
    return of_run == *fewest ? "" : fmt::format("the run has {} context switches", of_run);
}

/// What is wrong with an answer. `fewest`: the context switches of failing executions; none if there is no such one.
std::string wrong_with(CheckResult const& found, Subject const& subject, Verdict truth,
                       std::optional<std::size_t> fewest, Tally& tally) {
    if (has_trouble_of(found, check::Trouble::Kind::wrong_answer)) return "the solver is told to be wrong";
    switch (found.verdict) {
    case check::Verdict::violated: return wrong_of_violated(found, subject, fewest, tally);
    case check::Verdict::safe:
    case check::Verdict::vacuous:
        if (to_string(found.verdict) != to_text(truth) || !found.lifted_at || *found.lifted_at > bound)
            return fmt::format("it is {}", to_text(truth));
        ++tally[fmt::format("{}, lifted at {}", to_text(truth), *found.lifted_at)];
        return "";
    case check::Verdict::unknown: break;
    }
    ++tally[fewest ? "unknown, and fails beyond the bound" : "unknown, and does not fail"];
    if (fewest && *fewest <= bound) return fmt::format("an execution fails with {} context switches", *fewest);
    return has_trouble_of(found, check::Trouble::Kind::limit) ? "" : "it does not say why";
}

void ask(Program const& program, bool zero, std::size_t number, Tally& tally) {
    auto const truth = explore_shared(program, zero);
    if (!truth) {
        ++tally["too large for the naive exploration"];
        return;
    }
    Subject const subject(program);
    bool const complete = number % 3 == 0;
    CheckOptions options;
    options.buffering = zero ? Buffering::zero : Buffering::infinite;
    options.runs = complete ? Runs::complete : Runs::executions;
    options.bound = bound;
    options.stops = options.leaves_path = false;
    options.solver = *solver_command(number % 2 == 0 ? "z3" : "cvc5");
    CheckResult const found = check::check(subject.messages, options);
    std::string const wrong = wrong_with(found, subject, complete ? truth->verdict_complete() : truth->verdict(),
                                         complete ? truth->switches_complete : truth->switches, tally);
    ASSERT_EQ(wrong, "") << to_string(found.verdict) << ", zero " << zero << ", number " << number << '\n'
                         << subject.loaded.text;
}

TEST(ContextBound, SmallPrograms) {
    Tally tally;
    std::size_t number = 0;
    for (auto const& [threads, commands, thinned] :
         {std::tuple(2U, 3U, 8U), {2U, 4U, 100U}, {2U, 5U, 4'000U}, {3U, 3U, 32U}, {3U, 4U, 200U}})
        for_each_small_shared_program(threads, commands, thinned * every(), [&](Program const& program) {
            if (!HasFatalFailure()) ask(program, false, number++, tally);
        });
    print(std::cout, tally);
}

TEST(ContextBound, RandomPrograms) {
    Tally tally;
    for (std::size_t i = 0; i < cases(300) && !HasFatalFailure(); ++i)
        ask(shared_program(seeded(74), i), i % 4 == 1, i, tally);
    print(std::cout, tally);
    if (every() > 1) return; // in a few programs, no rare kind is sure
    for (char const* const what : {"violated with 0", "violated with 1", "safe, lifted at 0", "vacuous, lifted at 0"})
        EXPECT_GT(tally[what], 0U) << what;
}

} // namespace
} // namespace matchpoint::naive
